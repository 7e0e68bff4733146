// Events without an exception and a message get a title from what they have.

import { describe, expect, it } from "vitest";
import { parseBody, toIngestBody } from "#src/ingest/parse-body.ts";
import { toBytes } from "#support/bytes.ts";
import { getReport } from "#support/reports/parsed-items.ts";
import { NOW_MS } from "#support/reports/processing-options.ts";

const frames = [
  { module: "java.lang.Thread", function: "run" },
  { module: "com.acme.Cart", function: "total", filename: "Cart.java" },
  { module: "java.util.List", function: "get" },
];
const crashed = [{ id: 1, crashed: true, stacktrace: { frames } }];

function parseItem(event: object) {
  const body = parseBody(toIngestBody(toBytes(JSON.stringify(event))), { nowMs: NOW_MS });
  if (!body.ok) throw new Error(body.reason);
  return body.value.items[0];
}

describe("an event without an exception and a message", () => {
  const rows: readonly { name: string; event: object; title: readonly string[] }[] = [
    {
      name: "a crashed thread",
      event: { platform: "java", threads: { values: crashed } },
      title: ["error", "Crash", "total · com.acme.Cart"],
    },
    {
      name: "a crashed thread without a stack",
      event: { threads: [{ id: 1, crashed: true }] },
      title: ["error", "Crash", "(empty message)"],
    },
    {
      name: "a crashed thread and a message",
      event: { message: "out of memory", threads: crashed },
      title: ["error", "Crash", "out of memory"],
    },
    {
      name: "a stack",
      event: { platform: "java", stacktrace: { frames } },
      title: ["error", "Error", "total · com.acme.Cart"],
    },
    {
      name: "the stack of an empty message",
      event: { platform: "java", message: "", stacktrace: { frames } },
      title: ["message", "Message", "(empty message)"],
    },
    {
      name: "a transaction",
      event: { transaction: "shop.tasks.bill" },
      title: ["message", "Message", "shop.tasks.bill"],
    },
    {
      name: "the name that old SDKs give a transaction",
      event: { culprit: "shop.tasks.bill" },
      title: ["message", "Message", "shop.tasks.bill"],
    },
    ...[
      { message: "" },
      { message: "", logentry: null },
      { logentry: { message: "" }, stacktrace: { frames } },
      { logentry: { message: "", params: [] } },
      { exception: [], level: "error" },
      { exception: { values: [] } },
      { tags: { plan: "gold" } },
      { extra: { order: 7 } },
      { breadcrumbs: [{ message: "paid" }] },
      { request: { url: "https://shop.example/cart" } },
      { contexts: { cart: { items: 1 } } },
      { user: { id: 7 } },
    ].map((event) => ({
      name: JSON.stringify(event),
      event,
      title: ["message", "Message", "(empty message)"],
    })),
  ];
  it.each(rows)("has a title from $name", ({ event, title }) => {
    const { kind, type, message } = getReport(parseItem(event));
    expect([kind, type, message]).toEqual(title);
  });

  it.each([
    { timestamp: 1_795_277_322, platform: "node" },
    { event_id: "9f8e7d6c5b4a32100123456789abcdef", level: "error" },
    { platform: "node", message: null, exception: null },
  ])("that says nothing is invalid: %j", (event) => {
    expect(parseItem(event)).toMatchObject({ outcome: "invalid", reason: "missing-field" });
  });
});
