import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { parseSentryEnvelope } from "#src/ingest/sentry/envelope-items.ts";
import { toBytes } from "#support/bytes.ts";
import { getReport, listOutcomes } from "#support/reports/parsed-items.ts";

const ID = "5aaeee40d56b46ecbfb342d868e140ef";
const EVENT = JSON.stringify({ message: "m", event_id: "c".repeat(32) });

/** Item types that are only counted. */
const COUNTED_TYPES = [
  "session",
  "sessions",
  "client_report",
  "transaction",
  "span",
  "log",
  "trace_metric",
  "profile",
  "profile_chunk",
  "replay_event",
  "replay_recording",
  "check_in",
];

function parsed(body: string) {
  const envelope = parseSentryEnvelope(toBytes(body));
  if (!envelope.ok) throw new Error(envelope.reason);
  return envelope.value;
}

describe("items of an envelope", () => {
  const cases = [
    {
      name: "an event becomes a report",
      body: `{}\n{"type":"event"}\n${EVENT}`,
      outcomes: ["event → message"],
    },
    {
      name: "what SDKs send besides is counted",
      body: `{}\n${COUNTED_TYPES.map((type) => `{"type":"${type}"}\n{}\n`).join("")}`,
      outcomes: COUNTED_TYPES.map((type) => `${type} → counted`),
    },
    {
      name: "unknown item types are skipped silently",
      body: '{}\n{"type":"invention"}\nx',
      outcomes: ["invention → dropped not-stored"],
    },
    {
      name: "the name of an unknown type is not repeated unless it is a word",
      body: '{}\n{"type":"<script>"}\nx',
      outcomes: ["unknown → dropped not-stored"],
    },
    {
      name: "an item without a type is invalid, and the next one is read",
      body: `{}\n{}\nx\n{"type":"event"}\n${EVENT}`,
      outcomes: ["unknown → invalid missing-field", "event → message"],
    },
    {
      name: "a broken event is invalid, and the next item is read",
      body: '{}\n{"type":"event"}\n{"mess\n{"type":"session"}\n{}',
      outcomes: ["event → invalid not-json", "session → counted"],
    },
    {
      name: "an event that is not an object is invalid",
      body: '{}\n{"type":"event"}\n[]',
      outcomes: ["event → invalid not-an-object"],
    },
    {
      name: "an event without exception and message is invalid",
      body: '{}\n{"type":"event"}\n{"level":"error"}',
      outcomes: ["event → invalid missing-field"],
    },
    {
      name: "an event over limits.maxItemBytes is refused alone",
      body: `{}\n{"type":"event"}\n{"message":"${"x".repeat(limits.maxItemBytes)}"}\n{"type":"event"}\n${EVENT}`,
      outcomes: ["event → invalid too-large", "event → message"],
    },
    {
      name: "an event that nests too deep is refused alone",
      body: `{}\n{"type":"event"}\n${"[".repeat(1000)}\n{"type":"session"}\n{}`,
      outcomes: ["event → invalid too-large", "session → counted"],
    },
    {
      name: "where the framing outcomes early the rest is one invalid item",
      body: `{}\n{"type":"event"}\n${EVENT}\n{"type":"event","length":99999}\n{}`,
      outcomes: ["event → message", "envelope → invalid framing"],
    },
    { name: "an empty envelope has no items", body: "{}", outcomes: [] },
  ];
  it.each(cases)("$name", ({ body, outcomes }) => {
    expect(listOutcomes(parsed(body).items)).toEqual(outcomes);
  });
});

describe("the event id of an envelope", () => {
  const header = JSON.stringify({ event_id: "5AAEEE40-D56B-46EC-BFB3-42D868E140EF" });
  const item = `\n{"type":"event"}\n${EVENT}`;

  it("overrides the payload's, with dashes or without", () => {
    const { id, items } = parsed(header + item);
    expect(id).toBe(ID);
    expect(getReport(items[0]).id).toBe(ID);
  });

  it("defaults to the payload's", () => {
    const { id, items } = parsed(`{}${item}`);
    expect(id).toBeUndefined();
    expect(getReport(items[0]).id).toBe("c".repeat(32));
  });

  it("belongs to the first event only", () => {
    const ids = parsed(header + item + item).items.map((end) => getReport(end).id);
    expect(ids).toEqual([ID, "c".repeat(32)]);
  });
});
