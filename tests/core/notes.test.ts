import { expect, it } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { NO_NOTES, withActivity } from "../../src/core/notes.ts";

it.each([
  ["words", "a"],
  ["what JSON writes as six characters", "\ud800"],
])("keeps the newest of many long comments, of %s, as many as fit into a row", (_, character) => {
  const text = character.repeat(limits.maxCommentChars);
  let notes = NO_NOTES;
  for (let n = 0; n < limits.maxActivityPerIssue; n++) {
    notes = withActivity(notes, { atMs: n, did: "commented", id: String(n), text });
  }
  expect(JSON.stringify(notes.activity).length).toBeLessThan(limits.maxActivityChars + 1_000);
  expect(notes.activity.length).toBeGreaterThan(5);
  expect(notes.activity.at(-1)).toMatchObject({ atMs: limits.maxActivityPerIssue - 1 });
});
