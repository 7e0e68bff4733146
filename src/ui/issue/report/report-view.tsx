/**
 * One report in full: stack, causes, components, attachments, request, contexts, tags, breadcrumbs,
 * raw JSON.
 */

import { formatCuts } from "../../../core/errors/error-words.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { isBlankStack } from "../../../core/report/stacks/javascript-stack.ts";
import type { Report, ReportKind } from "../../../core/report.ts";
import { hasMinifiedFrames } from "../../../core/symbolication/report/explain-frame.ts";
import {
  getResolutions,
  type Symbolication,
  toOriginalReport,
} from "../../../core/symbolication/report/original-stack.ts";
import { getNamedBuild } from "../../../core/symbolication/report/resolve-request.ts";
import { DeskLink, resolvePath, useDesk } from "../../parts/desk-context.tsx";
import { LongText } from "../../parts/long-text.tsx";
import { toReportJsonUrl, toReportSearch } from "../../urls/issue-urls.ts";
import { Causes, ErrorType } from "../stack/causes.tsx";
import { hasDetails } from "../stack/frame-row.tsx";
import { StackFrames } from "../stack/original-frames.tsx";
import { StackOptionsContext } from "../stack/stack-options.ts";
import { MapFileField, StackSwitch } from "../stack/stack-switch.tsx";
import { Attachments } from "./attachment-list.tsx";
import { Breadcrumbs } from "./breadcrumb-list.tsx";
import { Contexts } from "./context-tables.tsx";
import { EraseReportForm } from "./erase-forms.tsx";
import { FeedbackAuthor } from "./feedback-text.tsx";
import { FoldedText } from "./folded-text.tsx";
import { RawJson } from "./raw-json.tsx";
import { RequestDetails } from "./request-section.tsx";
import { Tags } from "./tag-list.tsx";
import { Template } from "./template-section.tsx";
import { ViolationText } from "./violation-text.tsx";

const MESSAGE_CHARS = 600;

/** The report and its issue, whose heading already shows the type and message. */
interface ReportViewProps {
  readonly report: Report;
  readonly issue: Issue;
  /** Null if no frame names a file. */
  readonly symbolication: Symbolication | null;
  /** True if every frame is open. */
  readonly isAllOpen?: boolean | undefined;
}

/** The report by section. Empty sections are omitted. */
export function ReportView(props: ReportViewProps) {
  const { report, issue, symbolication, isAllOpen = false } = props;
  const resolutions = getResolutions(symbolication);
  const { componentStack } = toOriginalReport(report, resolutions);
  return (
    <>
      <ReportMessage report={report} issue={issue} />
      <FeedbackAuthor report={report} />
      {report.kind === "csp" && <ViolationText report={report} />}
      <Template report={report} />
      <StackOptionsContext value={{ isAllOpen, throwingText: getThrowingText(report) }}>
        <StackSection {...props} />
      </StackOptionsContext>
      <StackOptionsContext value={{ isAllOpen, throwingText: "threw" }}>
        <Causes report={report} resolutions={resolutions} />
      </StackOptionsContext>
      {componentStack !== undefined && (
        <section>
          <h3>Component stack</h3>
          <FoldedText text={removeIndentation(componentStack)} label="Component stack" />
        </section>
      )}
      <DetailSection report={report} />
      <Attachments report={report} digest={issue.digest} />
      <RequestDetails report={report} />
      <Contexts report={report} />
      <Tags tags={report.tags} />
      <Breadcrumbs report={report} />
      <RawJson report={report} digest={issue.digest} />
      <ProcessingNote report={report} />
      <EraseReportForm digest={issue.digest} id={report.id} />
    </>
  );
}

/** Removes the indentation that engines put before "at". */
function removeIndentation(text: string): string {
  return text.trim().replace(/\n[ \t]+/g, "\n");
}

/**
 * Type and message, if they differ from the heading: a linked report, a longer message, or a group
 * whose member the heading names.
 */
function ReportMessage({ report, issue }: Pick<ReportViewProps, "report" | "issue">) {
  if (report.type === issue.type && report.message === issue.message) return null;
  return (
    <div className="report-message">
      <ErrorType error={report} /> <LongText text={report.message} maxChars={MESSAGE_CHARS} />
    </div>
  );
}

/** For a message, a policy violation or a failed connection, nothing was thrown. */
function getThrowingText({ kind }: Report): "threw" | "here" {
  return kind === "error" ? "threw" : "here";
}

function StackSection({ report, issue, symbolication, isAllOpen }: ReportViewProps) {
  const desk = useDesk();
  const hasText = report.stack !== undefined && !isBlankStack(report.stack);
  if (report.frames.length === 0 && !hasText) {
    if (report.kind !== "error") return null;
    return (
      <section>
        <h3>Stack trace</h3>
        <p className="muted">This report has no stack trace.</p>
      </section>
    );
  }
  const resolutions = getResolutions(symbolication)[0] ?? [];
  return (
    <section
      data-stack-url={resolvePath(desk, `${toReportJsonUrl(issue.digest, report.id)}&raw=1`)}
    >
      <header className="stack-header">
        <h3>
          Stack trace{" "}
          <small>
            {report.typeModule !== undefined && (
              <>
                of <ErrorType error={report} />,{" "}
              </>
            )}
            most recent call first
          </small>
        </h3>
        {countClosable(report) > 1 && (
          <DeskLink href={toAllOpenHref(report.id, symbolication, isAllOpen)}>
            {isAllOpen ? "Close all" : "Open all"}
          </DeskLink>
        )}
      </header>
      <StackSwitch symbolication={symbolication} id={report.id} />
      <StackFrames frames={report.frames} resolutions={resolutions} build={getNamedBuild(report)} />
      {hasMinifiedFrames(report.frames, resolutions) && <MapFileField />}
      {report.frames.length === 0 && hasText && (
        <FoldedText text={report.stack ?? ""} label="Stack trace" />
      )}
    </section>
  );
}

function countClosable({ frames, causes = [] }: Report): number {
  return [...frames, ...causes.flatMap((cause) => cause.frames)].filter(hasDetails).length;
}

/** The URL of this report with every frame open or, if they are open, with only the first ones. */
function toAllOpenHref(
  id: string,
  symbolication: Symbolication | null,
  isAllOpen: boolean | undefined,
): string {
  const raw = symbolication?.state === "as-sent" ? "&raw=1" : "";
  return `${toReportSearch(id)}${raw}${isAllOpen ? "" : "&open=1"}#report`;
}

const KINDS_WITH_DETAIL: ReadonlySet<ReportKind> = new Set(["csp", "browser", "network"]);

/** The body of a browser report, such as a CSP violation. */
function DetailSection({ report }: { report: Report }) {
  if (report.detail === undefined || !KINDS_WITH_DETAIL.has(report.kind)) return null;
  return (
    <section>
      <h3>Report body</h3>
      <FoldedText text={JSON.stringify(report.detail, null, 2)} label="Report body" />
    </section>
  );
}

/** How Errata changed the report before storing it. */
function ProcessingNote({ report }: { report: Report }) {
  const notes = [
    report.scrubbedCount > 0 &&
      (report.scrubbedCount === 1
        ? "One value was removed because it looked like a secret."
        : `${report.scrubbedCount} values were removed because they looked like secrets.`),
    formatCuts(report.truncated),
  ].filter((note) => note !== false && note !== undefined);
  if (notes.length === 0) return null;
  return <p className="muted">{notes.join(" ")}</p>;
}
