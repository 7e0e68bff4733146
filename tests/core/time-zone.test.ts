import { describe, expect, it, test } from "vitest";
import { findTomorrow, isTimeZone } from "#src/core/time-zone.ts";

describe("tomorrow at 9:00", () => {
  test.each([
    ["UTC", "2026-11-21T17:41:00Z", "2026-11-22T09:00:00Z"],
    ["UTC", "2026-11-21T00:00:00Z", "2026-11-22T09:00:00Z"],
    ["UTC", "2026-12-31T23:59:59Z", "2027-01-01T09:00:00Z"],
    ["Europe/Berlin", "2026-11-21T17:41:00Z", "2026-11-22T08:00:00Z"],
    // After midnight it is the next day there.
    ["Europe/Berlin", "2026-11-21T23:30:00Z", "2026-11-23T08:00:00Z"],
    ["America/Los_Angeles", "2026-11-21T01:00:00Z", "2026-11-21T17:00:00Z"],
    ["Asia/Kolkata", "2026-11-21T12:00:00Z", "2026-11-22T03:30:00Z"],
    ["Pacific/Kiritimati", "2026-11-21T12:00:00Z", "2026-11-22T19:00:00Z"],
    // The clock changes in the night between.
    ["Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T08:00:00Z"],
    ["Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T07:00:00Z"],
    ["America/New_York", "2026-10-31T12:00:00Z", "2026-11-01T14:00:00Z"],
    ["Australia/Lord_Howe", "2026-10-03T03:00:00Z", "2026-10-03T22:00:00Z"],
  ])("in %s, asked at %s, is %s", (timeZone, now, expected) => {
    const at = findTomorrow(9, timeZone, Date.parse(now));
    expect(new Date(at).toISOString()).toBe(expected.replace("Z", ".000Z"));
  });
});

it.each([
  ["Europe/Berlin", true],
  ["UTC", true],
  ["", false],
  ["Nowhere/At_All", false],
  ["constructor", false],
])("%j is a time zone: %j", (name, isKnown) => {
  expect(isTimeZone(name)).toBe(isKnown);
});
