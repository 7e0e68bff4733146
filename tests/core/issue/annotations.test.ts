import { describe, expect, it } from "vitest";
import {
  type ActivityEntry,
  appendActivity,
  EMPTY_ANNOTATIONS,
} from "#src/core/issue/annotations.ts";
import { limits } from "#src/core/limits.ts";

const HOUR_MS = 3_600_000;

it.each([
  ["words", "a"],
  ["characters that JSON escapes", "\ud800"],
])("keeps as many of the newest long comments, of %s, as fit into a row", (_, character) => {
  const text = character.repeat(limits.maxCommentChars);
  let annotations = EMPTY_ANNOTATIONS;
  for (let n = 1; n <= limits.maxActivityPerIssue; n++) {
    annotations = appendActivity(annotations, {
      atMs: n * HOUR_MS,
      action: "commented",
      id: String(n),
      text,
    });
  }
  expect(JSON.stringify(annotations.activity).length).toBeLessThan(limits.maxActivityChars + 1_000);
  expect(annotations.activity.length).toBeGreaterThan(5);
  expect(annotations.activity.at(-1)).toMatchObject({ atMs: limits.maxActivityPerIssue * HOUR_MS });
});

describe("a comment", () => {
  const comment = (atMs: number, text: string, by?: string): ActivityEntry => ({
    ...{ atMs, action: "commented", id: String(atMs), text },
    ...(by !== undefined && { by }),
  });
  const open: ActivityEntry = { atMs: 2, action: "opened" };

  it.each<[string, readonly ActivityEntry[], number]>([
    ["at once", [comment(1, "a"), comment(2, "a")], 1],
    ["after another action", [comment(1, "a"), open, comment(3, "a")], 2],
    ["a minute later", [comment(1, "a"), comment(60_001, "a")], 2],
    ["with another text", [comment(1, "a"), comment(2, "b")], 2],
    ["after another comment", [comment(1, "a"), comment(2, "b"), comment(3, "a")], 3],
    ["by another person", [comment(1, "a", "Ada"), comment(2, "a", "Bea")], 2],
  ])("sent again %s is a retry or a new comment", (_, activities, count) => {
    expect(activities.reduce(appendActivity, EMPTY_ANNOTATIONS).activity).toHaveLength(count);
  });
});

it("other entries are dropped before comments, and the newest entry stays", () => {
  const comment = (n: number): ActivityEntry => {
    return { atMs: n * HOUR_MS, action: "commented", id: String(n), text: String(n) };
  };
  const action = (n: number): ActivityEntry => ({
    atMs: n * HOUR_MS,
    action: n % 2 ? "archived" : "opened",
  });
  const append = (many: readonly ActivityEntry[]) =>
    many.reduce(appendActivity, EMPTY_ANNOTATIONS).activity;
  const max = limits.maxActivityPerIssue;
  const first = [comment(0), ...Array.from({ length: 2 * max }, (_, n) => action(n + 1))];
  expect([append(first).length, append(first)[0]]).toEqual([max, comment(0)]);
  expect(append(first).at(-1)).toEqual(action(2 * max));
  const all = Array.from({ length: max + 5 }, (_, n) => comment(n));
  expect(append([...all, action(999)]).slice(-2)).toEqual([comment(max + 4), action(999)]);
  expect(append([...all, action(999)])).toHaveLength(max);
});
