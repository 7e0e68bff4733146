/** The selected report on an issue's page: its kind, its position and its contents. */
import { type ReactNode, use } from "react";
import type { ReportErasure } from "../../core/erasure.ts";
import type { ReactTexts } from "../../core/error-codes/react-error.ts";
import type { Issue } from "../../core/issue/issue.ts";
import { findLatestReport } from "../../core/issue/related-reports.ts";
import { formatClockSkew } from "../../core/report/clock-skew.ts";
import { getSenderId } from "../../core/report/report-id.ts";
import type { Digest, Report, ReportId } from "../../core/report.ts";
import type { EditorSetting } from "../../core/repositories/editor-link.ts";
import type { CodeFinder } from "../../core/repositories/source-link.ts";
import type { SuggestedOwner } from "../../core/repositories/suggest-owner.ts";
import type { Symbolication } from "../../core/symbolication/report/original-stack.ts";
import { DAY_MS } from "../../core/utc-time.ts";
import { TrustSentence } from "../issues/trust-text.tsx";
import { resolvePath, useDesk } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { pluralize } from "../parts/number.tsx";
import { ClockTime, RelativeTime, ZoneSwitch } from "../parts/time.tsx";
import { toMarkdownUrl } from "../urls/issue-urls.ts";
import { ReportPagination } from "./report/pagination.tsx";
import { ReportView } from "./report/report-view.tsx";
import { CodeFinderContext, EditorContext } from "./stack/stack-options.ts";

const RELEASE_CHARS = 40;
const LEVEL_CHARS = 20;

/** The code of a report. */
export interface ReportCode {
  readonly finder: CodeFinder;
  /** Absent if no rule matches. */
  readonly owner?: SuggestedOwner | undefined;
}

export interface SelectedReportProps {
  /** Includes every acknowledged report; the cached copy if unavailable, null if erased. */
  readonly freshIssue: Promise<Issue | null>;
  /** Null if the body has expired. */
  readonly report: Promise<Report | null>;
  /** Who erased the body, if it is missing and that is known. */
  readonly erasure?: Promise<ReportErasure | null> | undefined;
  /** Bodies are kept for at least this time. */
  readonly retentionDays: number;
  /** Its stacks in the original source; null without a report or stack. */
  readonly symbolication: Promise<Symbolication | null>;
  /** The texts of React's error codes; null if the report has none. */
  readonly reactTexts: Promise<ReactTexts | null>;
  /** Where its code is, and who owns it; null without a report. */
  readonly code: Promise<ReportCode | null>;
  /** From `?report=`; absent for the newest report. */
  readonly reportId?: string | undefined;
  /** True with `?open=1`: every frame of the stack is open. */
  readonly isAllOpen?: boolean | undefined;
  /** The editor of this browser; null without one. */
  readonly editor: EditorSetting | null;
  readonly nowMs: number;
}

/**
 * Waits for the report and the fresh issue. `children` follow the stack. A hidden heading if the
 * issue no longer exists.
 */
export function SelectedReport({
  freshIssue,
  report: reportPromise,
  erasure: erasurePromise,
  retentionDays,
  symbolication: symbolicationPromise,
  reactTexts: reactTextsPromise,
  code: codePromise,
  reportId,
  isAllOpen,
  editor,
  nowMs,
  children,
}: SelectedReportProps & { readonly children?: ReactNode }) {
  const issue = use(freshIssue);
  const report = use(reportPromise);
  const erasure = erasurePromise === undefined ? null : use(erasurePromise);
  const symbolication = use(symbolicationPromise);
  const reactTexts = use(reactTextsPromise);
  const code = use(codePromise);
  if (issue === null) {
    return (
      <h2 id="report-heading" className="visually-hidden">
        No report
      </h2>
    );
  }
  const id = report?.id ?? reportId ?? findLatestReport(issue.latestReports)?.id;
  const header = (
    <header className="report-header section-head">
      <h2 id="report-heading">{formatHeading(report)}</h2>
      {id !== undefined && <ReportPagination summaries={issue.latestReports} id={id} />}
      {report !== null && (
        <>
          <div className="report-actions">
            <CopyForAgentsButton digest={issue.digest} reportId={id} />
            <CopyMarkdownButton
              url={toMarkdownUrl(issue.digest, report.id, symbolication?.state === "as-sent")}
            />
          </div>
          <ReportStats report={report} nowMs={nowMs} />
        </>
      )}
    </header>
  );
  if (report === null)
    return (
      <>
        {header}
        <MissingReport
          erasure={erasure}
          receivedMs={issue.latestReports.find((listed) => listed.id === id)?.atMs ?? 0}
          retentionDays={retentionDays}
          nowMs={nowMs}
        />
      </>
    );
  return (
    <EditorContext value={editor}>
      <CodeFinderContext value={code?.finder ?? null}>
        <ReportView
          report={report}
          issue={issue}
          symbolication={symbolication}
          reactTexts={reactTexts}
          isAllOpen={isAllOpen}
        >
          {children}
          {header}
        </ReportView>
      </CodeFinderContext>
    </EditorContext>
  );
}

function formatHeading(report: Report | null): string {
  if (report?.kind === "feedback") return "User feedback";
  if (report?.isLinked !== true) return "Report";
  return report.side === "browser" ? "Browser report" : "Linked report";
}

function ReportStats({ report, nowMs }: { report: Report; nowMs: number }) {
  return (
    <p className="report-meta">
      <span>
        <ClockTime atMs={report.occurredAtMs} /> ·{" "}
        <RelativeTime atMs={report.occurredAtMs} nowMs={nowMs} />
      </span>{" "}
      {report.clockSkewMs !== undefined && (
        <span title="Errata corrected the times of this report.">
          clock {formatClockSkew(report.clockSkewMs)}
        </span>
      )}{" "}
      <ZoneSwitch /> <span>{report.side}</span> <TrustSentence trust={report.trust} />{" "}
      <ReportLevel report={report} />{" "}
      {report.release !== undefined && <bdi>{abbreviate(report.release, RELEASE_CHARS)}</bdi>}{" "}
      <code title="Report id">{getSenderId(report)}</code>
    </p>
  );
}

/** Omits "error", the most common level. */
function ReportLevel({ report: { level } }: { report: Report }) {
  if (level === undefined || level === "error") return null;
  return <span>{abbreviate(level, LEVEL_CHARS)}</span>;
}

interface MissingReportProps {
  readonly erasure: ReportErasure | null;
  /** Long ago if the issue no longer lists the report. */
  readonly receivedMs: number;
  readonly retentionDays: number;
  readonly nowMs: number;
}

/** Says why a report has no contents, as far as that is known. */
function MissingReport(props: MissingReportProps) {
  return (
    <p className="muted">
      The contents of this report <Loss {...props} />. The counts of the issue still include it.
    </p>
  );
}

function Loss({ erasure, receivedMs, retentionDays, nowMs }: MissingReportProps) {
  const isExpired = nowMs - receivedMs >= retentionDays * DAY_MS;
  const rule = `Errata keeps them for at least ${pluralize(retentionDays, "day")}`;
  if (erasure === null) return `${isExpired ? "have expired:" : "are missing, although"} ${rule}`;
  const eraser = (
    <>
      by <bdi>{erasure.by ?? "local access"}</bdi>,{" "}
      <RelativeTime atMs={erasure.atMs} nowMs={nowMs} />
    </>
  );
  if (erasure.of === "report") return <>were erased {eraser}</>;
  return (
    <>
      {isExpired && `have expired, because ${rule}, or `}
      were erased: the last erasure of a text from this project was {eraser}
    </>
  );
}

/**
 * Copies identifiers: an agent reads the report through MCP, which keeps text of strangers apart. In
 * a pasted message, it would be a request of the person.
 */
export function CopyForAgentsButton({
  digest,
  reportId,
}: {
  digest: Digest;
  reportId: ReportId | undefined;
}) {
  const report = reportId === undefined ? "" : ` and report ${reportId}`;
  const text = `Fix the issue ${digest} of Errata: call get_investigation of the MCP server errata with digest ${digest}${report}.`;
  return (
    <span className="copy-action">
      <button type="button" className="copy" data-copy={text}>
        Copy for agents
      </button>{" "}
      <output className="copied" data-copied="" aria-live="polite" />
    </span>
  );
}

/** The button and its status output. `url` is that of the Markdown, within the project. */
function CopyMarkdownButton({ url }: { url: string }) {
  const desk = useDesk();
  return (
    <span className="copy-action">
      <button type="button" className="copy" data-copy-url={resolvePath(desk, url)}>
        Copy as Markdown
      </button>{" "}
      <output className="copied" data-copied="" aria-live="polite" />
    </span>
  );
}
