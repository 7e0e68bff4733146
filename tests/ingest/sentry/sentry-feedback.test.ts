import { describe, expect, it } from "vitest";
import { parseSentryEvent } from "#src/ingest/sentry/sentry-event.ts";
import { parseFeedback, parseUserReport } from "#src/ingest/sentry/sentry-feedback.ts";
import { getReport } from "#support/reports/parsed-items.ts";

const EVENT_ID = "5aaeee40d56b46ecbfb342d868e140ef";
const ID = "4c177258ad894d7c9f8186ec9ad5ef14";
const context = {
  message: "Page is blank after paying",
  contact_email: "ann@example.com",
  name: "Ann",
  url: "https://shop.example/checkout?step=2",
  associated_event_id: EVENT_ID,
};
const feedback = { type: "feedback", contexts: { feedback: context }, release: "web@2.0.0" };

describe("feedback keeps its message, its author and its event", () => {
  it.each([
    { name: "as a feedback item", parsed: parseFeedback(feedback, ID) },
    { name: "as an event of that type", parsed: parseSentryEvent(feedback, ID) },
  ])("$name", ({ parsed }) => {
    expect(getReport(parsed)).toMatchObject({
      id: ID,
      kind: "feedback",
      type: "Feedback",
      message: "Page is blank after paying",
      aboutEventId: EVENT_ID,
      release: "web@2.0.0",
      detail: { name: "Ann", contact_email: "ann@example.com" },
      request: { route: "/checkout" },
    });
  });

  it("as a user report", () => {
    const report = { event_id: EVENT_ID, name: "Ann", email: "ann@example.com", comments: "Blank" };
    expect(getReport(parseUserReport(report))).toMatchObject({
      kind: "feedback",
      message: "Blank",
      aboutEventId: EVENT_ID,
      detail: { name: "Ann", contact_email: "ann@example.com" },
    });
  });
});

describe("feedback, like other events,", () => {
  it("keeps tags, contexts and the user", () => {
    const event = {
      contexts: { feedback: { ...context, source: "widget" }, os: { name: "Linux" } },
      tags: { plan: "gold" },
      user: { id: 608 },
      extra: { step: 2 },
    };
    expect(getReport(parseFeedback(event, ID))).toMatchObject({
      tags: [["plan", "gold"]],
      userKey: "608",
      detail: {
        user: { id: 608 },
        extra: { step: 2 },
        contexts: { os: { name: "Linux" }, feedback: { source: "widget" } },
      },
    });
  });
});

describe("feedback", () => {
  it.each([
    { name: "without a message", parsed: parseFeedback({ contexts: { feedback: {} } }, ID) },
    { name: "of the old form without comments", parsed: parseUserReport({ event_id: EVENT_ID }) },
  ])("$name is invalid", ({ parsed }) => {
    expect(parsed).toMatchObject({ outcome: "invalid", reason: "missing-field" });
  });

  it("that is not an object is invalid", () => {
    expect(parseFeedback([], ID)).toMatchObject({ outcome: "invalid", reason: "not-an-object" });
  });

  it("without an event groups by its page, not by its message", () => {
    const createKey = (message: string, url: string) =>
      getReport(parseFeedback({ contexts: { feedback: { message, url } } }, ID)).fingerprint;
    expect(createKey("blank", "https://a.example/pay?x=1")).toEqual(
      createKey("empty", "https://a.example/pay"),
    );
    expect(createKey("blank", "https://a.example/pay")).not.toEqual(
      createKey("blank", "https://a.example/"),
    );
  });
});
