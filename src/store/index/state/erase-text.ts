/**
 * Erases a text from the tables of the index, in every column whose words senders or members chose.
 * Some rows per turn. Synchronous.
 */
import type { CounterName } from "../../../core/stats/counters.ts";
import { containsText, redactCounterName, redactText } from "../../redact-text.ts";
import { createDirtyKeys, type DirtyKeys } from "./dirty-keys.ts";
import { saveErased } from "./erase-issue.ts";
import type { IndexTables } from "./index-tables.ts";

/** A part of an erasure that is done, and where the next part begins; absent after the last. */
interface ErasedPart {
  readonly dirtyKeys: DirtyKeys;
  readonly next?: string | undefined;
}

/** Aliases or annotations that are searched in one turn. */
const MAX_PER_PART = 100;
/** Issues that are searched in one turn: about 15 ms of CPU. */
const MAX_ISSUES_PER_PART = 40;
/** Issues changed in one turn: about 15 ms of CPU, with their search texts and values. */
const MAX_CHANGED_PER_PART = 10;

/** Redacts a text in some issues and their search texts. */
export function eraseFromIssues(tables: IndexTables, text: string, cursor?: string): ErasedPart {
  const { digests, next } = listIssuesWithText(tables, text, cursor, MAX_CHANGED_PER_PART);
  for (const digest of digests) {
    const issue = tables.issues.get(digest);
    if (issue !== undefined) saveErased(tables, redactText(issue, text));
  }
  return { dirtyKeys: createDirtyKeys({ issues: digests }), next };
}

/** Some issues that contain a text, themselves or in their search texts, at most `max`. */
export function listIssuesWithText(
  { issues, search }: IndexTables,
  text: string,
  cursor = "0",
  max = MAX_ISSUES_PER_PART,
) {
  const after = Number(cursor);
  const { found: own, next } = issues.findContainingAfter(text, after, MAX_ISSUES_PER_PART);
  const others = search.findContaining(text, after, next ?? Number.MAX_SAFE_INTEGER);
  const digestById = new Map([...own, ...others].map(({ id, digest }) => [id, digest]));
  const found = [...digestById].sort(([one], [other]) => one - other);
  const [last] = found[max - 1] ?? [];
  const digests = found.slice(0, max).map(([, digest]) => digest);
  return { digests, next: (found.length > max ? last : next)?.toString() };
}

/** The number of comments with a text in some annotations. */
export function countComments({ annotations }: IndexTables, text: string, cursor = "") {
  const names = annotations.listNames(cursor, MAX_PER_PART);
  const comments = names
    .flatMap((name) => annotations.getOrEmpty(name).activity)
    .filter((entry) => entry.action === "commented" && containsText(entry, text));
  return { comments: comments.length, next: names.at(-1) };
}

/** Removes some aliases that contain a text. */
export function eraseFromAliases(
  { aliases, tombstones }: IndexTables,
  text: string,
  cursor = "",
): ErasedPart {
  const names = aliases.listNames(cursor, MAX_PER_PART);
  const matching = names.filter((alias) => containsText(alias, text));
  for (const alias of matching) {
    aliases.removeAlias(alias);
    tombstones.add("alias", alias);
  }
  return { dirtyKeys: createDirtyKeys({ aliases: matching }), next: names.at(-1) };
}

/** Removes some page paths that contain a text. */
export function eraseFromTraces({ traces }: IndexTables, text: string, cursor = ""): ErasedPart {
  const names = traces.listNames(cursor, MAX_PER_PART);
  for (const trace of names) traces.erasePaths(trace, text);
  return { dirtyKeys: createDirtyKeys({}), next: names.at(-1) };
}

/**
 * Redacts a text in some copied documents: annotations, then saved views, then those of tables that
 * are declared later. Decisions have a phase of their own. The cursor is `<table> <name>`.
 */
export function eraseFromTriage(
  { copied, decisions }: IndexTables,
  text: string,
  cursor = "",
): ErasedPart {
  const tables = copied.filter((table) => table !== decisions);
  // A job that an earlier release began starts again: its cursor has no table.
  const [, at = "0", after = ""] = /^(\d+) (.*)$/s.exec(cursor) ?? [];
  const table = tables[Number(at)];
  const names = table?.listNames(after, MAX_PER_PART) ?? [];
  for (const name of names) {
    const before = table?.get(name);
    if (containsText(before, text)) table?.saveErased(name, redactText(before, text));
  }
  const isLast = names.length === 0 && Number(at) + 1 >= tables.length;
  const next = names.length > 0 ? `${at} ${names.at(-1)}` : `${Number(at) + 1} `;
  return { dirtyKeys: createDirtyKeys({}), next: isLast ? undefined : next };
}

/** Removes some releases whose names contain a text, and scripts whose URLs do. */
export function eraseFromReleases(
  { releases }: IndexTables,
  text: string,
  cursor = "",
): ErasedPart {
  const names = releases.listNames(cursor, MAX_PER_PART);
  for (const name of names) {
    if (containsText(name, text)) releases.remove(name);
    else releases.scripts.remove(name, (file) => containsText(file, text));
  }
  return { dirtyKeys: createDirtyKeys({}), next: names.at(-1) };
}

/** Redacts a text in the names of destinations of sent alerts, and in alerts that wait. */
export function eraseFromAlerts({ alerts }: IndexTables, text: string, cursor = ""): ErasedPart {
  if (cursor === "") alerts.eraseText((alert) => redactText(alert, text));
  const names = alerts.sent.listNames(cursor, MAX_PER_PART);
  for (const name of names) {
    const sent = alerts.sent.list(name);
    if (containsText(sent, text)) alerts.sent.save(name, redactText(sent, text));
  }
  return { dirtyKeys: createDirtyKeys({}), next: names.at(-1) };
}

/** Redacts a text in the names of some counters. */
export function eraseFromCounters(
  { counters }: IndexTables,
  text: string,
  cursor = '{"day":"","name":""}',
): ErasedPart {
  const some = counters.listAfter(JSON.parse(cursor), MAX_PER_PART);
  for (const { day, name } of some) {
    const before = JSON.parse(name) as CounterName;
    const after = redactCounterName(before, text);
    if (JSON.stringify(after) !== name) counters.rename(day, before, after);
  }
  const last = some.at(-1);
  return { dirtyKeys: createDirtyKeys({}), next: last && JSON.stringify(last) };
}

/** Redacts a text in the releases that some decisions name. */
export function eraseFromDecisions(
  { decisions, issues, tombstones }: IndexTables,
  text: string,
  cursor = "",
): ErasedPart {
  const names = decisions.listNames(cursor, MAX_CHANGED_PER_PART);
  const matching = names.filter((name) => containsText(decisions.get(name), text));
  for (const name of matching) {
    const decision = decisions.get(name);
    if (decision === undefined) continue;
    const redacted = redactText(decision, text);
    decisions.saveErased(name, redacted);
    const issue = issues.get(name);
    if (issue !== undefined) issues.save({ ...issue, decision: redacted });
    tombstones.add("issue", name);
  }
  const dirtyKeys = createDirtyKeys({ issues: matching });
  return { dirtyKeys, next: names.at(-1) };
}
