/**
 * Versions 1 and 2 of decisions, activity and issues. Version 2 has the states of
 * `issue-states.ts`: an issue that was ignored with a limit is snoozed; one that was ignored
 * without, or muted, is archived. This release reads both and writes version 1, whose readers keep
 * the members that they do not know. Pure.
 */
import { ISSUE_STATES, type IssueState, STATE_NAMES } from "./issue-states.ts";

type Members = Readonly<Record<string, unknown>>;

/** The members of a decision that end a snooze. Version 1 had the first two. */
export const SNOOZE_LIMITS = [
  "untilMs",
  "untilCount",
  "untilUsers",
  "untilEscalation",
  "untilNextRelease",
] as const;

/** A word of version 1 for a state. */
export type StoredState = (typeof ISSUE_STATES)[IssueState]["stored"];

export function toStoredState(state: IssueState): StoredState {
  return ISSUE_STATES[state].stored;
}

/** The state of a word of version 1 next to the limits of a snooze, if there are any. */
export function fromStoredState(stored: unknown, limits: Members = {}): unknown {
  const isEndless = stored === "ignored" && SNOOZE_LIMITS.every((name) => !(name in limits));
  return isEndless
    ? "archived"
    : (STATE_NAMES.find((name) => ISSUE_STATES[name].stored === stored) ?? stored);
}

/** Version 2 of a decision. */
export function upgradeDecision(decision: Members): Members {
  const { untilMs, ...rest } = decision;
  // `downgradeDecision` ends a snooze that a report has ended by its time.
  const isEnd = rest.endedAtMs !== undefined && untilMs === rest.endedAtMs;
  const kept = isEnd || untilMs === undefined ? rest : decision;
  return { ...kept, state: fromStoredState(decision.state, decision) };
}

/** Version 1 of a decision. */
export function downgradeDecision(decision: Members): Members {
  const { state, untilMs, endedAtMs } = decision;
  const end = untilMs ?? endedAtMs;
  return {
    ...decision,
    state: toStoredState(state as IssueState),
    ...(end !== undefined && { untilMs: end }),
  };
}

/** Version 2 of annotations. */
export function upgradeAnnotations(annotations: Members): Members {
  return withActivity(annotations, ({ action, ...entry }) => {
    if (action === "opened" && entry.endedBy !== undefined) return { action: "returned", ...entry };
    const isState = action === "ignored" || action === "muted";
    return { action: isState ? fromStoredState(action, entry) : action, ...entry };
  });
}

/** Version 1 of annotations. */
export function downgradeAnnotations(annotations: Members): Members {
  return withActivity(annotations, ({ action, ...entry }) => {
    if (action === "returned") return { action: "opened", ...entry };
    const isState = action === "snoozed" || action === "archived";
    return { action: isState ? toStoredState(action) : action, ...entry };
  });
}

function withActivity(annotations: Members, change: (entry: Members) => Members): Members {
  const { activity } = annotations;
  return Array.isArray(activity) ? { ...annotations, activity: activity.map(change) } : annotations;
}

/** Version 2 of an issue or of its summary. */
export function upgradeIssue(issue: Members): Members {
  const { state, decision } = issue;
  if (decision === undefined || decision === null) return issue;
  const upgraded = { ...upgradeDecision(decision as Members), v: 2 };
  return { ...issue, state: fromStoredState(state, decision as Members), decision: upgraded };
}

/** Version 1 of an issue or of its summary. */
export function downgradeIssue(issue: Members): Members {
  const { state, decision } = issue;
  if (decision === undefined) return issue;
  const downgraded = { ...downgradeDecision(decision as Members), v: 1 };
  return { ...issue, state: toStoredState(state as IssueState), decision: downgraded };
}

/** The steps of a list of issues. */
export const upgradeIssueList = (list: Members) => withIssues(list, upgradeIssue);
export const downgradeIssueList = (list: Members) => withIssues(list, downgradeIssue);

function withIssues(list: Members, change: (issue: Members) => Members): Members {
  const { issues } = list;
  return Array.isArray(issues) ? { ...list, issues: issues.map(change) } : list;
}
