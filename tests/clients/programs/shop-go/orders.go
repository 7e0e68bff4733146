package main

import (
	"errors"
	"fmt"
)

type customer struct{ name string }

type order struct {
	number   int
	customer *customer
}

var errNotFound = errors.New("no such row")

func ship(o *order) string {
	return o.customer.name
}

func bill(o *order) string {
	return o.customer.name
}

func (o *order) label() string {
	return o.customer.name
}

func check(number int) {
	panic(fmt.Errorf("order %d has no address", number))
}

func load(number int) error {
	return fmt.Errorf("order %d cannot be sent: %w", number, errNotFound)
}

func printLabel(number int) error {
	return fmt.Errorf("label %d was not printed: %w", number, errNotFound)
}
