/** Rows of issues on the home page: the reason first, then the error, its hours and its people. */
import type { ReactNode } from "react";
import { isRegressed } from "../../core/issue/decision.ts";
import type { IssueSummary } from "../../core/issue/issue.ts";
import type { AttentionReason, AttentionRow } from "../../core/overview/attention.ts";
import type { OverviewPeriod } from "../../core/overview/error-columns.ts";
import type { AttentionList, ProjectOverview, Span } from "../../core/overview/project-overview.ts";
import { formatCulprit } from "../../core/place/issue-place.ts";
import { formatPeople } from "../../core/stats/people-count.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../core/utc-time.ts";
import { stripTypePrefix } from "../issues/message-without-type.ts";
import { PublicMark } from "../issues/trust-text.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { AttentionIcon } from "../parts/icons.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, formatTotal, pluralize, pluralizeTotal } from "../parts/number.tsx";
import { formatClockTime, formatRelativeTime, RelativeTime, TimeElement } from "../parts/time.tsx";
import { toHomeUrl } from "../urls/home-urls.ts";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { HourSparkline } from "./hour-sparkline.tsx";

const MESSAGE_CHARS = 160;
const PART_CHARS = 60;
const NAME_CHARS = 24;

interface RowsProps {
  readonly rows: readonly AttentionRow[];
  readonly nowMs: number;
}

/** What needs a person, or that nothing does. */
export function AttentionSection({
  list,
  open,
  nowMs,
}: {
  list: AttentionList;
  open: ProjectOverview["open"];
  nowMs: number;
}) {
  const more = list.total - list.rows.length;
  return (
    <section className="attention" aria-labelledby="attention">
      <div className="section-head">
        <h2 id="attention">Needs attention</h2>
        {list.total > 0 && <span className="muted">{formatTotal(list)}</span>}
        {open.total > 0 && (
          <DeskLink href="/issues">
            {open.total > 1 && "All "}
            {pluralizeTotal(open, "open issue")}
          </DeskLink>
        )}
      </div>
      {list.rows.length > 0 ? (
        <Rows rows={list.rows} nowMs={nowMs} />
      ) : (
        <p className="home-empty">
          No issue is new, regressed, escalating or assigned to you.{" "}
          {open.total > 0 &&
            `${pluralizeTotal(open, "open issue")} ${open.total === 1 ? "continues at its" : "continue at their"} usual rate.`}
        </p>
      )}
      {more > 0 && (
        <p className="home-more">
          <DeskLink href="/issues">
            {formatNumber(more)}
            {list.isTotalCapped && "+"} more, among all open issues
          </DeskLink>
        </p>
      )}
    </section>
  );
}

/** Three open issues for quiet hours. */
export function LaterSection({ rows, nowMs }: RowsProps) {
  if (rows.length === 0) return null;
  return (
    <section className="attention" aria-labelledby="later">
      <div className="section-head">
        <h2 id="later">When there is time</h2>
      </div>
      <Rows rows={rows} nowMs={nowMs} />
    </section>
  );
}

/** The issues of a span of the chart. */
export function SelectedSection({
  list,
  span,
  period,
  nowMs,
}: {
  list: AttentionList;
  span: Span;
  period: OverviewPeriod;
  nowMs: number;
}) {
  const { fromMs, toMs } = span;
  const more = list.total - list.rows.length;
  return (
    <section className="attention" aria-labelledby="selected">
      <div className="section-head">
        <h2 id="selected">
          <TimeElement atMs={fromMs} text={formatClockTime(fromMs, nowMs)} clock="minute" />
          {" to "}
          <TimeElement atMs={toMs} text={formatClockTime(toMs, nowMs)} clock="minute" />
        </h2>
        <span className="muted">{pluralize(list.total, "issue")}</span>
        <DeskLink href={toHomeUrl({ period })}>Show what needs attention</DeskLink>
      </div>
      {list.rows.length > 0 ? (
        <Rows rows={list.rows} nowMs={nowMs} />
      ) : (
        <p className="home-empty">No known issue occurred in this time.</p>
      )}
      {more > 0 && <p className="home-more muted">{formatNumber(more)} more with fewer errors</p>}
    </section>
  );
}

function Rows({ rows, nowMs }: RowsProps) {
  return (
    <ol className="needs">
      {rows.map((row) => (
        <Row key={row.issue.digest} row={row} nowMs={nowMs} />
      ))}
    </ol>
  );
}

function Row({ row: { issue, reason, hours }, nowMs }: { row: AttentionRow; nowMs: number }) {
  const type = abbreviate(issue.type, PART_CHARS) || issue.kind;
  const message = abbreviate(stripTypePrefix(issue), MESSAGE_CHARS) || "(no message)";
  const parts = [formatCulprit(issue), issue.route, issue.release].filter(
    (part) => part !== undefined && part !== "",
  );
  return (
    <li className="need" data-kind={reason.kind}>
      <div className="need-why">
        <AttentionIcon kind={reason.kind} />
        <b>{toReasonName(reason, issue)}</b>
        <small>
          <ReasonText reason={reason} nowMs={nowMs} />
        </small>
      </div>
      <div className="need-what">
        <DeskLink
          href={toIssueUrl(issue.digest)}
          id={`issue-${issue.digest}`}
          title={`${type} ${message}`}
          data-row-link=""
        >
          <bdi className="type">{type}</bdi> <span dir="auto">{message}</span>
        </DeskLink>
        <small>
          <PublicMark trust={issue.trust} />
          {parts.map((part, n) => (
            // The parts have no ids, and their order never changes.
            <span key={n} className="bit">
              <bdi>{abbreviate(part ?? "", PART_CHARS)}</bdi>
            </span>
          ))}
        </small>
      </div>
      <div className="need-hours">{hours && <HourSparkline hours={hours} />}</div>
      <div className="need-size">
        <span>{toSize(issue)}</span>
        <small>
          <RelativeTime atMs={issue.lastSeenMs} nowMs={nowMs} />
        </small>
      </div>
    </li>
  );
}

/** People before occurrences, if any are known. */
function toSize({ userCount = 0, count }: IssueSummary): string {
  return userCount === 0 ? pluralize(count, "time") : formatPeople(userCount);
}

const NAMES: Readonly<Record<AttentionReason["kind"], string>> = {
  escalating: "Escalating",
  regressed: "Regressed",
  new: "New",
  assigned: "Assigned to you",
  "snooze-ended": "Snooze ended",
  message: "Message from a visitor",
  "most-users": "Most people",
  oldest: "Oldest",
  "no-source-map": "No source map",
  occurred: "Occurred",
};

function toReasonName({ kind }: AttentionReason, issue: IssueSummary): string {
  return kind === "occurred" && isRegressed(issue) ? NAMES.regressed : NAMES[kind];
}

function ReasonText({ reason, nowMs }: { reason: AttentionReason; nowMs: number }): ReactNode {
  switch (reason.kind) {
    case "escalating":
      return `${formatNumber(reason.count)} in ${formatLength(nowMs - reason.sinceMs)}, usually ${formatNumber(reason.usual)}${reason.usual > 0 ? " an hour" : ""}`;
    case "regressed":
      return <RegressedText reason={reason} nowMs={nowMs} />;
    case "new":
      return (
        <>
          {reason.users > 1 ? formatPeople(reason.users) : pluralize(reason.count, "time")}
          {" since "}
          <TimeElement
            atMs={reason.sinceMs}
            text={formatClockTime(reason.sinceMs, nowMs)}
            clock="minute"
          />
        </>
      );
    case "assigned":
      return (
        <>
          {reason.by !== undefined && `by ${abbreviate(reason.by, NAME_CHARS)}`}
          {reason.by !== undefined && reason.atMs !== undefined && ", "}
          {reason.atMs !== undefined && formatRelativeTime(reason.atMs, nowMs)}
        </>
      );
    case "snooze-ended":
      return `snoozed ${formatRelativeTime(reason.sinceMs, nowMs)}`;
    case "message":
      return <bdi>“{reason.text}”</bdi>;
    case "most-users":
      return formatPeople(reason.users);
    case "oldest":
      return `open for ${formatLength(nowMs - reason.sinceMs)}`;
    case "no-source-map":
      return `${pluralize(reason.issues, "issue")} in built scripts`;
    case "occurred":
      return `${reason.isAtLeast ? "at least " : ""}${pluralize(reason.count, "time")}`;
    default:
      return reason satisfies never;
  }
}

/** "resolved by Ada 2 days ago in 2.3.0", as far as it is known. */
function RegressedText({
  reason: { by, resolvedAtMs, resolvedInRelease, release },
  nowMs,
}: {
  reason: Extract<AttentionReason, { readonly kind: "regressed" }>;
  nowMs: number;
}) {
  const name = (text: string) => abbreviate(text, NAME_CHARS);
  return (
    <>
      resolved
      {by !== undefined && ` by ${name(by)}`}
      {resolvedAtMs !== undefined && ` ${formatRelativeTime(resolvedAtMs, nowMs)}`}
      {resolvedInRelease !== undefined && ` in ${name(resolvedInRelease)}`}
      {resolvedInRelease === undefined && release !== undefined && `, back in ${name(release)}`}
    </>
  );
}

/** `12 min`, `3 h`, `93 days`. */
function formatLength(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(1, Math.round(ms / MINUTE_MS))} min`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return `${formatNumber(Math.floor(ms / DAY_MS))} days`;
}
