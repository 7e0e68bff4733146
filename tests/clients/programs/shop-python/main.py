"""The team's Python program with sentry-sdk, set up as its documentation says.

The environment provides SENTRY_DSN, SENTRY_RELEASE and SENTRY_ENVIRONMENT, and in TILL_SECRET the
secret of a request; the arguments name the mistake and the order. Prints the id of each event.
"""

import asyncio
import logging
import os
import sys
from wsgiref.util import setup_testing_defaults

import sentry_sdk
from sentry_sdk.integrations.wsgi import SentryWsgiMiddleware

import orders


def print_id(event, _):
    print(f"event {event['event_id']}")
    return event


sentry_sdk.init(before_send=print_id)
mistake, order = sys.argv[1], int(sys.argv[2])


def answer(environ, start_response):
    orders.ship(orders.Order(order))


def handle_request():
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": f"/orders/{order}/ship",
        "QUERY_STRING": "express=1",
        "HTTP_HOST": "shop.example",
        "HTTP_USER_AGENT": "till/3.1",
        "HTTP_ACCEPT_LANGUAGE": "nl",
        "HTTP_AUTHORIZATION": f"Bearer {os.environ['TILL_SECRET']}",
        "HTTP_COOKIE": f"session={os.environ['TILL_SECRET']}",
        "CONTENT_TYPE": "application/json",
    }
    setup_testing_defaults(environ)
    SentryWsgiMiddleware(answer)(environ, lambda *_: None)


def log_message():
    logging.getLogger("shop.orders").error("order %s waits for %s", order, "an address")


def run():
    match mistake:
        case "ship":
            orders.ship(orders.Order(order))
        case "bill":
            orders.bill(orders.Order(order))
        case "check":
            orders.check(order)
        case "cause":
            orders.load(order)
        case "pack-group":
            asyncio.run(orders.pack_all(order))
        case "print-group":
            asyncio.run(orders.print_all(order))
        case "message":
            log_message()
        case "request":
            handle_request()


try:
    run()
except BaseException as error:
    if mistake != "request":
        sentry_sdk.capture_exception(error)
sentry_sdk.flush(5)
