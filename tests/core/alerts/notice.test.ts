/** Whom an entry of the activity concerns. */
import { expect, it } from "vitest";
import { listNotices } from "#src/core/alerts/notice.ts";
import { type ActivityEntry, EMPTY_ANNOTATIONS } from "#src/core/issue/annotations.ts";

const ID = "a".repeat(32);

const comment = (by: string | undefined, mentions?: readonly string[]): ActivityEntry => ({
  ...{ atMs: 1, action: "commented", id: ID, text: "…" },
  ...(by !== undefined && { by }),
  ...(mentions && { mentions: [...mentions] }),
});
const resolved = (by: string): ActivityEntry => ({ atMs: 1, action: "resolved", by });

it.each<
  [string, { assignee?: string; activity?: readonly ActivityEntry[] }, ActivityEntry, unknown[]]
>([
  [
    "an assignment is told to the assignee",
    {},
    { atMs: 1, action: "assigned", to: "Bob", by: "Ada" },
    [{ kind: "assigned", to: ["Bob"], by: "Ada" }],
  ],
  [
    "an assignment by a rule too",
    {},
    { atMs: 1, action: "assigned", to: "Bob", by: "rule src/**" },
    [{ kind: "assigned", to: ["Bob"], by: "rule src/**" }],
  ],
  [
    "an assignment to oneself is not",
    {},
    { atMs: 1, action: "assigned", to: "ada  LOVELACE", by: "Ada Lovelace" },
    [],
  ],
  [
    "a comment is told to the assignee and to who commented or was mentioned before, each once",
    {
      assignee: "Bob",
      activity: [comment("Mel"), comment("bob", ["Grace"]), comment("Ada"), comment(undefined)],
    },
    comment("Ada"),
    [{ kind: "commented", to: ["bob", "Mel", "Grace"], by: "Ada", comment: ID }],
  ],
  [
    "a mention is told as such, and only once",
    { assignee: "Bob" },
    comment("Ada", ["Bob", "Ada", "Mel"]),
    [{ kind: "mentioned", to: ["Bob", "Mel"], by: "Ada", comment: ID }],
  ],
  [
    "an issue that comes back is told to its assignee and to who resolved it last",
    { assignee: "Bob", activity: [resolved("Mel"), resolved("Ada")] },
    { atMs: 2, action: "regressed", release: "2.4.0" },
    [{ kind: "regressed", to: ["Bob", "Ada"], release: "2.4.0" }],
  ],
  ["an issue of nobody is told to nobody", {}, { atMs: 2, action: "regressed" }, []],
  ["a decision is told to nobody", { assignee: "Bob" }, resolved("Ada"), []],
])("%s", (_, { assignee, activity = [] }, entry, notices) => {
  const annotations = { ...EMPTY_ANNOTATIONS, assignee, activity: [...activity] };
  const told = listNotices(annotations, entry).map(({ to, ...rest }) => ({
    ...JSON.parse(JSON.stringify(rest)),
    to: [...to].sort(),
  }));
  const expected = notices.map((one) => {
    const { to, ...rest } = one as { to: readonly string[] };
    return { ...rest, to: [...to].sort() };
  });
  expect(told).toEqual(expected);
});
