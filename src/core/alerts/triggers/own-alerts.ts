/** Alerts that no rule can choose: about the alerts themselves, and about many of them. Pure. */
import { MAX_NETWORKS } from "../../stats/network-sketch.ts";
import { defineOwnAlert, type Figures } from "./trigger.ts";
import { formatCount, formatFigure, formatSpan } from "./trigger-texts.ts";

/** A destination was disabled, or did not accept a message (`value`). */
export const delivery = defineOwnAlert({
  kind: "delivery",
  title: ({ value = 0 }) =>
    value > 0 ? "An alert was not delivered" : "A destination was disabled",
  sentence: ({ detail = "" }) => detail,
  webhookEvent: "project.delivery",
});

/** Public issues that are folded into one row of the list. */
export const flood = defineOwnAlert({
  kind: "flood",
  title: formatFlood,
  sentence: (figures) =>
    `${formatFlood(figures)} in ${formatSpan(figures.withinMs ?? 0)}. They are one row of the list.`,
  webhookEvent: "project.flood",
  listPath: "/issues?q=is%3Afolded&sort=count",
});

/** An issue goes to a coding agent: a member asked for it, or it came back after a fix. */
export const handOff = defineOwnAlert({
  kind: "hand-off",
  title: () => "Hand-off",
  sentence: () => "The issue is handed off to a coding agent.",
  webhookEvent: "issue.handed_off",
});

/** A member gave the issue to another one, as `detail` says. Only that member gets it. */
export const assignedToYou = defineOwnAlert({
  kind: "assigned",
  title: () => "Assigned to you",
  sentence: ({ detail = "" }) => detail,
  webhookEvent: "member.assigned",
});

/** A comment mentions a member, as `detail` says. Only that member gets it. */
export const mentionedYou = defineOwnAlert({
  kind: "mentioned",
  title: () => "You were mentioned",
  sentence: ({ detail = "" }) => detail,
  webhookEvent: "member.mentioned",
});

/** Alerts about public reports above their hourly limit. */
export const morePublic = defineOwnAlert({
  kind: "more-public",
  title: formatMore,
  sentence: (figures) =>
    `${formatMore(figures)}. ` +
    `Each kind of alert about public reports is limited to ${formatFigure(figures.limit ?? 0)} an hour.`,
  webhookEvent: "project.more_public",
});

/** Closes the incident of a pager. */
export const resolved = defineOwnAlert({
  kind: "resolved",
  title: () => "Resolved",
  sentence: () => "The issue was resolved.",
  webhookEvent: "issue.resolved",
});

/** The sketch of a flood counts no more. */
const MANY_NETWORKS = `${MAX_NETWORKS}+ networks`;

/** `Flood from browsers: 3,412 reports, 41 issues, 2 networks`. */
function formatFlood({ value = 0, limit = 0, usual = 0 }: Figures): string {
  const counts = [formatCount(value, "report"), formatCount(limit, "issue")];
  if (usual > 0) counts.push(usual < MAX_NETWORKS ? formatCount(usual, "network") : MANY_NETWORKS);
  return `Flood from browsers: ${counts.join(", ")}`;
}

/** `41 more new issues from browsers`. */
function formatMore({ value: newIssues = 0, usual: others = 0 }: Figures): string {
  const counted = (count: number, what: string) =>
    `${formatFigure(count)} more ${what}${count === 1 ? "" : "s"} from browsers`;
  if (newIssues === 0) return counted(others, "alert");
  const rest = others === 0 ? "" : `, and ${counted(others, "alert")}`;
  return counted(newIssues, "new issue") + rest;
}
