import { describe, expect, it } from "vitest";
import {
  type ActivityEntry,
  appendActivity,
  EMPTY_ANNOTATIONS,
} from "../../../src/core/issue/annotations.ts";
import { limits } from "../../../src/core/limits.ts";

const HOUR_MS = 3_600_000;

it.each([
  ["words", "a"],
  ["what JSON writes as six characters", "\ud800"],
])("keeps the newest of many long comments, of %s, as many as fit into a row", (_, character) => {
  const text = character.repeat(limits.maxCommentChars);
  let notes = EMPTY_ANNOTATIONS;
  for (let n = 1; n <= limits.maxActivityPerIssue; n++) {
    notes = appendActivity(notes, { atMs: n * HOUR_MS, action: "commented", id: String(n), text });
  }
  expect(JSON.stringify(notes.activity).length).toBeLessThan(limits.maxActivityChars + 1_000);
  expect(notes.activity.length).toBeGreaterThan(5);
  expect(notes.activity.at(-1)).toMatchObject({ atMs: limits.maxActivityPerIssue * HOUR_MS });
});

describe("a comment", () => {
  const said = (atMs: number, text: string, by?: string): ActivityEntry => ({
    ...{ atMs, action: "commented", id: String(atMs), text },
    ...(by !== undefined && { by }),
  });
  const open: ActivityEntry = { atMs: 2, action: "opened" };

  it.each<[string, readonly ActivityEntry[], number]>([
    ["again at once", [said(1, "a"), said(2, "a")], 1],
    ["again, after something else happened", [said(1, "a"), open, said(3, "a")], 2],
    ["again a minute later", [said(1, "a"), said(60_001, "a")], 2],
    ["in other words", [said(1, "a"), said(2, "b")], 2],
    ["after another one", [said(1, "a"), said(2, "b"), said(3, "a")], 3],
    ["by somebody else", [said(1, "a", "Ada"), said(2, "a", "Bea")], 2],
  ])("is one when it is sent twice: %s", (_, activities, kept) => {
    expect(activities.reduce(appendActivity, EMPTY_ANNOTATIONS).activity).toHaveLength(kept);
  });
});

it("deeds are forgotten before comments, and the newest of all is there", () => {
  const comment = (n: number): ActivityEntry => {
    return { atMs: n * HOUR_MS, action: "commented", id: String(n), text: String(n) };
  };
  const deed = (n: number): ActivityEntry => ({
    atMs: n * HOUR_MS,
    action: n % 2 ? "muted" : "opened",
  });
  const of = (many: readonly ActivityEntry[]) =>
    many.reduce(appendActivity, EMPTY_ANNOTATIONS).activity;
  const max = limits.maxActivityPerIssue;
  const first = [comment(0), ...Array.from({ length: 2 * max }, (_, n) => deed(n + 1))];
  expect([of(first).length, of(first)[0]]).toEqual([max, comment(0)]);
  expect(of(first).at(-1)).toEqual(deed(2 * max));
  const all = Array.from({ length: max + 5 }, (_, n) => comment(n));
  expect(of([...all, deed(999)]).slice(-2)).toEqual([comment(max + 4), deed(999)]);
  expect(of([...all, deed(999)])).toHaveLength(max);
});
