/** What people did, in the lines of an export: decisions, notes on issues and views of the list, every member checked. */
import type { Decided, Decision } from "../core/decision.ts";
import type { IssueState } from "../core/issue.ts";
import { type SavedView, SORTS, type Sort } from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import type { Activity, Notes } from "../core/notes.ts";
import type { Digest } from "../core/report.ts";
import { ok, type Result } from "../core/result.ts";
import { recordOf } from "./decode.ts";
import { digest, hexId } from "./exported-report.ts";
import {
  list,
  moment,
  object,
  oneOf,
  only,
  positive,
  type Read,
  text,
  type Unlike,
  unlike,
  yes,
} from "./exported-shape.ts";

const release = text(limits.maxReleaseChars);
const version = only((value) => value === 1, "1");
const decision = object<Decision>({
  v: version,
  state: oneOf<IssueState>({ open: true, resolved: true, ignored: true, muted: true }),
  atMs: moment,
  release: { optional: release },
  inNext: { optional: yes },
  untilMs: { optional: moment },
  untilCount: { optional: positive },
  regressedAtMs: { optional: moment },
  regressedIn: { optional: release },
  resolvedIn: { optional: release },
});

/** What people decided about an issue; the digest stands beside the decision's own members. */
export function readDecision(value: unknown): Result<Decided, Unlike> {
  const about = aboutOf(value);
  if (!about.ok) return about;
  const made = decision(value);
  return made.ok ? ok({ digest: about.value, decision: made.value }) : made;
}

const name = text(limits.maxAssigneeChars);
const when = { atMs: moment, by: { optional: name } } as const;

type Did = Activity["did"];
type Doing<D extends Did> = Extract<Activity, { did: D }>;

/** One word, and nothing else. */
function did<D extends Did>(word: D): Read<D> {
  return only((value): value is D => value === word, word);
}

const ACTIVITIES: { readonly [D in Did]: Read<Activity> } = {
  commented: object<Doing<"commented">>({
    ...when,
    did: did("commented"),
    id: hexId,
    text: text(limits.maxCommentChars),
  }),
  assigned: object<Doing<"assigned">>({ ...when, did: did("assigned"), to: name }),
  unassigned: object<Doing<"unassigned">>({ ...when, did: did("unassigned") }),
  opened: object<{ atMs: number; by?: string; did: "opened" }>({ ...when, did: did("opened") }),
  muted: object<{ atMs: number; by?: string; did: "muted" }>({ ...when, did: did("muted") }),
  resolved: object<Doing<"resolved">>({
    ...when,
    did: did("resolved"),
    release: { optional: release },
    inNext: { optional: yes },
  }),
  ignored: object<Doing<"ignored">>({
    ...when,
    did: did("ignored"),
    untilMs: { optional: moment },
    untilCount: { optional: positive },
  }),
  regressed: object<Doing<"regressed">>({
    ...when,
    did: did("regressed"),
    release: { optional: release },
  }),
  merged: object<Doing<"merged">>({ ...when, did: did("merged"), from: digest }),
  split: object<Doing<"split">>({ ...when, did: did("split"), off: digest }),
};

const activity: Read<Activity> = (value) => {
  const word = recordOf(value)?.did;
  const read = typeof word === "string" && Object.hasOwn(ACTIVITIES, word);
  return read ? ACTIVITIES[word as Did](value) : unlike("something that people do", "did");
};

/** Where reports stand is another project's business: what was counted elsewhere is not taken over. */
const notes = object<Omit<Notes, "parted">>({
  v: version,
  assignee: { optional: name },
  mergedInto: { optional: digest },
  activity: list(activity, limits.maxActivityPerIssue),
});

/** What people added to an issue; the digest stands beside the notes' own members. */
export function readNotes(
  value: unknown,
): Result<{ readonly digest: Digest; readonly notes: Notes }, Unlike> {
  const about = aboutOf(value);
  if (!about.ok) return about;
  const read = notes(value);
  return read.ok ? ok({ digest: about.value, notes: read.value }) : read;
}

/** A view of the list. */
export function readView(value: unknown): Result<SavedView, Unlike> {
  return object<SavedView>({
    name: text(limits.maxViewNameChars),
    query: text(limits.maxIssueQueryChars),
    sort: only((sort): sort is Sort => SORTS.some((one) => one === sort), SORTS.join(", ")),
  })(value);
}

function aboutOf(value: unknown): Result<Digest, Unlike> {
  const about = digest(recordOf(value)?.digest);
  return about.ok ? about : unlike(about.expected, "digest");
}
