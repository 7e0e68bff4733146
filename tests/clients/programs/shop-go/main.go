// The team's Go program with sentry-go, set up as its documentation says. The environment provides
// SENTRY_DSN, SENTRY_RELEASE and SENTRY_ENVIRONMENT, and in TILL_SECRET the secret of a request; the
// arguments name the mistake and the order. Prints the id of each event.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"time"

	"github.com/getsentry/sentry-go"
	sentryhttp "github.com/getsentry/sentry-go/http"
)

func handleRequest(number int) {
	handler := sentryhttp.New(sentryhttp.Options{}).HandleFunc(
		func(http.ResponseWriter, *http.Request) { ship(&order{number: number}) },
	)
	url := fmt.Sprintf("http://shop.example/orders/%d/ship?express=1", number)
	request := httptest.NewRequest("POST", url, nil)
	request.Header.Set("User-Agent", "till/3.1")
	request.Header.Set("Accept-Language", "nl")
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TILL_SECRET"))
	request.Header.Set("Cookie", "session="+os.Getenv("TILL_SECRET"))
	request.Header.Set("Content-Type", "application/json")
	handler(httptest.NewRecorder(), request)
}

// Makes a mistake whose panic the deferred function reports.
func runInHelper(mistake func(*order) string, number int) {
	defer reportPanic()
	mistake(&order{number: number})
}

func reportPanic() {
	if reason := recover(); reason != nil {
		sentry.CurrentHub().Recover(reason)
	}
}

func run(mistake string, number int) {
	defer func() {
		if reason := recover(); reason != nil {
			sentry.CurrentHub().Recover(reason)
		}
	}()
	switch mistake {
	case "ship-in-helper":
		runInHelper(ship, number)
	case "bill-in-helper":
		runInHelper(bill, number)
	case "ship":
		ship(&order{number: number})
	case "bill":
		bill(&order{number: number})
	case "check":
		check(number)
	case "cause":
		if err := load(number); err != nil {
			sentry.CaptureException(err)
		}
	case "label":
		if err := printLabel(number); err != nil {
			sentry.CaptureException(err)
		}
	case "label-method":
		(&order{number: number}).label()
	case "message":
		sentry.CaptureMessage(fmt.Sprintf("order %d waits for an address", number))
	case "request":
		handleRequest(number)
	}
}

func main() {
	if err := sentry.Init(sentry.ClientOptions{
		BeforeSend: func(event *sentry.Event, _ *sentry.EventHint) *sentry.Event {
			fmt.Printf("event %s\n", event.EventID)
			return event
		},
	}); err != nil {
		panic(err)
	}
	number, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	run(os.Args[1], number)
	sentry.Flush(5 * time.Second)
}
