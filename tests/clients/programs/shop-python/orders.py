"""The orders of the shop, with their mistakes."""

import asyncio


class ShippingError(Exception):
    pass


class Order:
    def __init__(self, number):
        self.number = number
        self.customer = None


def ship(order):
    return order.customer.name


def bill(order):
    return order.customer.name


def check(number):
    raise ValueError(f"order {number} has no address")


def load(number):
    try:
        return {}[number]
    except KeyError as error:
        raise ShippingError(f"order {number} cannot be sent") from error


async def pack(order):
    return order.customer.name


async def print_label(order):
    raise OSError(f"label {order.number} was not printed")


async def pack_all(number):
    async with asyncio.TaskGroup() as group:
        group.create_task(pack(Order(number)))
        group.create_task(pack(Order(number + 1)))


async def print_all(number):
    async with asyncio.TaskGroup() as group:
        group.create_task(print_label(Order(number)))
        group.create_task(print_label(Order(number + 1)))
