import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FixEvent, fixEventLimits, limitFixEvent } from "#src/core/issue/fix-event.ts";
import {
  addFixEvent,
  addHandOff,
  type FixRecord,
  joinFixRecords,
  listCurrentEvents,
} from "#src/core/issue/fix-record.ts";

const PULL = "https://github.com/acme/shop/pull/5";
const proposed: FixEvent = { kind: "proposed", url: PULL, atMs: 1_000 };

describe("an event", () => {
  it.each([
    ["keeps an http(s) URL", { url: PULL }, { url: PULL }],
    ["loses credentials", { url: "https://a:b@github.com/x" }, { url: "https://github.com/x" }],
    ["needs no URL if it has a commit", { commit: "3F2A9C1" }, { commit: "3f2a9c1" }],
    ["has one line of title", { url: PULL, title: "a\nb" }, { url: PULL, title: "a b" }],
  ])("%s", (_, sent, expected) => {
    expect(limitFixEvent({ kind: "proposed", atMs: 1, ...sent })).toEqual({
      kind: "proposed",
      atMs: 1,
      ...expected,
    });
  });

  it.each([
    ["no URL and no commit", {}],
    ["a URL of a script", { url: "javascript:alert(1)" }],
    ["a relative URL", { url: "/pull/5" }],
    ["a URL that is too long", { url: `https://a.b/${"x".repeat(2_000)}` }],
    ["a commit that is no hash", { commit: "main; rm -rf" }],
  ])("is ignored with %s", (_, sent) => {
    expect(limitFixEvent({ kind: "merged", atMs: 1, ...sent })).toBeNull();
  });

  it("stays within its limits, whatever was sent", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3_000 }), fc.string(), (title, author) => {
        const { maxTitleChars, maxAuthorChars } = fixEventLimits;
        const limited = limitFixEvent({ kind: "closed", url: PULL, title, author, atMs: 1 });
        expect(limited?.title?.length ?? 0).toBeLessThanOrEqual(maxTitleChars);
        expect(limited?.author?.length ?? 0).toBeLessThanOrEqual(maxAuthorChars);
      }),
    );
  });
});

describe("the record of a fix", () => {
  it("has the latest event of each kind for each change", () => {
    const again = { ...proposed, atMs: 5_000, title: "Reopened" };
    const record = addFixEvent(addFixEvent({}, proposed), again);
    expect(record.events).toEqual([again]);
    expect(addFixEvent(record, proposed)).toBe(record);
  });

  it("is the same in whatever order its events arrive", () => {
    const events = (["proposed", "closed", "merged"] as const).flatMap((kind, n) =>
      ["5", "6"].map((id, m) => ({ kind, url: `https://a.b/${id}`, atMs: 10 * n + m })),
    );
    const expected = events.reduce(addFixEvent, {});
    fc.assert(
      fc.property(fc.shuffledSubarray([...events, ...events], { minLength: 12 }), (shuffled) => {
        expect(shuffled.reduce(addFixEvent, {} as FixRecord)).toEqual(expected);
      }),
    );
  });

  it("keeps the newest events above its limit", () => {
    const { maxEventsPerIssue: max } = fixEventLimits;
    const many = Array.from({ length: max + 2 }, (_, n) => ({
      ...proposed,
      url: `u${n}`,
      atMs: n,
    }));
    const { events = [] } = many.reduce(addFixEvent, {} as FixRecord);
    expect([events.length, events[0]?.atMs]).toEqual([max, 2]);
  });

  it("has each message of a hand-off once", () => {
    const handOff = { atMs: 1, to: "a", name: "Agent", message: "msg_1_1" };
    const record = addHandOff({}, handOff);
    expect(addHandOff(record, { ...handOff, atMs: 2 })).toBe(record);
  });

  it("of two issues has the facts of both", () => {
    const ours = { events: [proposed], cameBackMs: 500 };
    const theirs: FixRecord = {
      events: [{ ...proposed, kind: "merged", atMs: 2_000 }],
      handOffs: [{ atMs: 1, to: "a", name: "Agent", message: "msg_1_1" }],
    };
    expect(joinFixRecords(ours, theirs)).toEqual({
      ...theirs,
      ...ours,
      events: [proposed, theirs.events?.[0]],
    });
    expect(joinFixRecords(undefined, theirs)).toBe(theirs);
  });

  it("lists only events since the issue last came back", () => {
    const later = { ...proposed, url: "https://a.b/6", atMs: 3_000 };
    expect(listCurrentEvents({ events: [proposed, later], cameBackMs: 2_000 })).toEqual([later]);
  });
});
