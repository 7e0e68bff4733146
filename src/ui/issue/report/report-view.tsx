/**
 * One report in full: stack, causes, components, attachments, request, contexts, tags, breadcrumbs,
 * raw JSON.
 */
import type { ReactNode } from "react";
import {
  explainViolation,
  type ViolationExplanation,
} from "../../../core/csp/explain-violation.ts";
import { listReactErrors, type ReactTexts } from "../../../core/error-codes/react-error.ts";
import { listChain } from "../../../core/errors/error-chain.ts";
import { formatCuts } from "../../../core/errors/error-words.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { limits } from "../../../core/limits.ts";
import { INJECTED_REASONS, type InjectedReason } from "../../../core/noise/policy-proof.ts";
import { isInlineImage, withoutAttachmentContents } from "../../../core/report/attachment.ts";
import {
  type ContextGroup,
  formatData,
  listContexts,
  listParams,
} from "../../../core/report/contexts.ts";
import { summarizeMessage } from "../../../core/report/report-summary.ts";
import { isBlankStack } from "../../../core/report/stacks/javascript-stack.ts";
import type { Attachment, Breadcrumb, Digest, Report, ReportKind } from "../../../core/report.ts";
import { parseBrowserName } from "../../../core/request/browser-name.ts";
import { removeIndentation } from "../../../core/symbolication/report/component-stack.ts";
import { hasMinifiedFrames } from "../../../core/symbolication/report/explain-frame.ts";
import {
  getResolutions,
  type Symbolication,
  toOriginalReport,
} from "../../../core/symbolication/report/original-stack.ts";
import { DeskLink, resolvePath, useDesk } from "../../parts/desk-context.tsx";
import { FactList } from "../../parts/fact-list.tsx";
import { abbreviate, FullText, LongText } from "../../parts/long-text.tsx";
import { formatByteSize, formatNumber } from "../../parts/number.tsx";
import { PairTable } from "../../parts/pair-table.tsx";
import { safeHref } from "../../parts/safe-href.ts";
import { formatAbsoluteTime } from "../../parts/time.tsx";
import { toDryRunUrl } from "../../urls/csp-urls.ts";
import { toAttachmentUrl, toReportJsonUrl, toReportSearch } from "../../urls/issue-urls.ts";
import { BranchNote } from "../stack/branch-note.tsx";
import { ErrorChain, ErrorType } from "../stack/error-chain.tsx";
import { hasDetails } from "../stack/frame-row.tsx";
import { StackOptionsContext } from "../stack/stack-options.ts";
import { MapFileField, StackNote, StackSwitch } from "../stack/stack-switch.tsx";
import { EraseReportForm } from "./erase-forms.tsx";
import { FeedbackAuthor } from "./feedback-text.tsx";

const MESSAGE_CHARS = 600;

/** The report and its issue, whose heading already shows the type and message. */
interface ReportViewProps {
  readonly report: Report;
  readonly issue: Issue;
  /** Null if no frame names a file. */
  readonly symbolication: Symbolication | null;
  /** Null if no message has a code of React. */
  readonly reactTexts?: ReactTexts | null;
  /** True if every frame is open. */
  readonly isAllOpen?: boolean | undefined;
}

/** The report by section, with `children` after its stack. Empty sections are omitted. */
export function ReportView(props: ReportViewProps & { readonly children?: ReactNode }) {
  const { report, issue, symbolication, reactTexts = null } = props;
  const { componentStack } = toOriginalReport(report, getResolutions(symbolication));
  return (
    <>
      <ReportMessage report={report} issue={issue} />
      {reactTexts !== null && <ReactErrors report={report} texts={reactTexts} />}
      <FeedbackAuthor report={report} />
      {report.kind === "csp" && <ViolationText report={report} />}
      <Template report={report} />
      <StackSection {...props} />
      {props.children}
      {componentStack !== undefined && (
        <section data-component-stack="">
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

/**
 * Type and message, if they differ from the heading: a linked report, a longer message, or a group
 * whose member the heading names. The tabs of a chain have them too.
 */
function ReportMessage({ report, issue }: Pick<ReportViewProps, "report" | "issue">) {
  if (report.type === issue.type && report.message === issue.message) return null;
  if (listChain(report).length > 1) return null;
  // The heading has its beginning.
  if (report.type === issue.type && summarizeMessage(report.message) === issue.message)
    return <FullText text={report.message} maxChars={issue.message.length} />;
  return (
    <div className="report-message">
      <ErrorType error={report} /> <LongText text={report.message} maxChars={MESSAGE_CHARS} />
    </div>
  );
}

/** The texts of React's codes in the messages of the report. */
function ReactErrors({ report, texts }: { report: Report; texts: ReactTexts }) {
  return listReactErrors(report, texts).map(({ code, text, version }) => (
    <section key={text} className="react-error">
      <h2>
        {`React error ${code} `}
        <small>{`in the words of React ${version}`}</small>
      </h2>
      <p dir="auto">{text}</p>
    </section>
  ));
}

/** For a message, a policy violation or a failed connection, nothing was thrown. */
function getThrowingText({ kind }: Report): "threw" | "here" {
  return kind === "error" || kind === "recovered" ? "threw" : "here";
}

function StackSection({ report, issue, symbolication, isAllOpen = false }: ReportViewProps) {
  const desk = useDesk();
  const resolutions = getResolutions(symbolication);
  const hasText = report.stack !== undefined && !isBlankStack(report.stack);
  const hasFrames = listChain(report).some(({ error }) => error.frames.length > 0);
  if (!hasFrames && !hasText && (report.causes ?? []).length === 0) {
    if (report.kind !== "error") return null;
    return (
      <section className="stack">
        <h2 className="visually-hidden">Stack trace</h2>
        <p className="muted">This report has no stack trace.</p>
      </section>
    );
  }
  const own = resolutions[0] ?? [];
  return (
    <section
      data-stack-url={resolvePath(desk, `${toReportJsonUrl(issue.digest, report.id)}&raw=1`)}
      className="stack"
    >
      <h2 className="visually-hidden">Stack trace</h2>
      <StackNote symbolication={symbolication} />
      <StackOptionsContext value={{ isAllOpen, throwingText: getThrowingText(report) }}>
        <ErrorChain report={report} resolutions={resolutions} />
      </StackOptionsContext>
      {report.frames.length === 0 && hasText && (
        <FoldedText text={report.stack ?? ""} label="Stack trace" />
      )}
      <footer className="stack-foot">
        <span>
          {report.typeModule !== undefined && (
            <>
              <ErrorType error={report} />,{" "}
            </>
          )}
          Most recent call first
        </span>
        <StackSwitch symbolication={symbolication} id={report.id} />
        {countClosable(report) > 1 && (
          <DeskLink href={toAllOpenHref(report.id, symbolication, isAllOpen)}>
            {isAllOpen ? "Close all" : "Open all"}
          </DeskLink>
        )}
      </footer>
      <BranchNote report={report} resolutions={own} />
      {hasMinifiedFrames(report.frames, own) && <MapFileField />}
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

// Files that came with a report. Images are shown inline, other files are downloads.

const NAME_CHARS = 80;

/** The files with their sizes. `digest` is the issue's. */
function Attachments({ report, digest }: { report: Report; digest: Digest }) {
  const files = report.attachments ?? [];
  if (files.length === 0) return null;
  return (
    <section className="attachments">
      <h3>Attachments</h3>
      <ul>
        {files.map((file, n) => (
          <li key={n}>
            <AttachmentLink file={file} href={toAttachmentUrl(digest, report.id, n)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Why the contents were not kept. */
function formatReason({ notKept = "too-large" }: Attachment): string {
  return notKept === "too-large"
    ? "not kept: too large"
    : `not kept: a report keeps ${limits.maxAttachments}`;
}

function AttachmentLink({ file, href }: { file: Attachment; href: string }) {
  const name = <bdi>{abbreviate(file.name, NAME_CHARS)}</bdi>;
  const size = <span className="muted">{formatByteSize(file.bytes)}</span>;
  if (file.text === undefined && file.base64 === undefined) {
    return (
      <>
        {name} {size} <span className="muted">({formatReason(file)})</span>
      </>
    );
  }
  return (
    <>
      <DeskLink href={href}>{name}</DeskLink> {size}
      {isInlineImage(file.type) && <img className="picture" src={href} alt="" loading="lazy" />}
    </>
  );
}

// Breadcrumbs as a timeline that ends with the error, oldest first, each with its time relative to
// the error. A minus sign means before the error.

const MAX_SHOWN_BREADCRUMBS = 15;
const BREADCRUMB_CHARS = 300;
const CATEGORY_CHARS = 40;

/** The timeline. Only the newest breadcrumbs are open. */
function Breadcrumbs({ report }: { report: Report }) {
  const { breadcrumbs = [], occurredAtMs: errorAtMs } = report;
  if (breadcrumbs.length === 0) return null;
  const earlier = breadcrumbs.slice(0, -MAX_SHOWN_BREADCRUMBS);
  return (
    <section>
      <h3>Breadcrumbs</h3>
      {earlier.length > 0 && (
        <details>
          <summary>{earlier.length} earlier</summary>
          <ol className="timeline breadcrumbs">
            <BreadcrumbItems breadcrumbs={earlier} errorAtMs={errorAtMs} />
          </ol>
        </details>
      )}
      <ol className="timeline breadcrumbs">
        <BreadcrumbItems
          breadcrumbs={breadcrumbs.slice(-MAX_SHOWN_BREADCRUMBS)}
          errorAtMs={errorAtMs}
        />
        <li data-level="fatal" data-error="">
          <span className="breadcrumb-time" title={formatAbsoluteTime(errorAtMs)}>
            0.0 s
          </span>{" "}
          <bdi className="breadcrumb-category">{abbreviate(report.type, CATEGORY_CHARS)}</bdi>{" "}
          <span className="breadcrumb-message" dir="auto">
            {abbreviate(report.message, BREADCRUMB_CHARS)}
          </span>
        </li>
      </ol>
    </section>
  );
}

function BreadcrumbItems({
  breadcrumbs,
  errorAtMs,
}: {
  breadcrumbs: readonly Breadcrumb[];
  errorAtMs: number;
}) {
  return breadcrumbs.map(({ atMs, category, level, message, data }, index) => (
    <li key={index} data-level={level}>
      <span
        className="breadcrumb-time"
        title={atMs === undefined ? undefined : formatAbsoluteTime(atMs)}
      >
        {atMs === undefined ? "" : formatOffset(atMs - errorAtMs)}
      </span>{" "}
      <bdi className="breadcrumb-category">{abbreviate(category ?? "", CATEGORY_CHARS)}</bdi>{" "}
      <span className="breadcrumb-message" dir="auto">
        {HIGHLIGHTED_LEVELS.has(level) && <span className="visually-hidden">{level}: </span>}
        {abbreviate(message, BREADCRUMB_CHARS)}
        {data !== undefined && (
          <span className="muted"> {abbreviate(formatData(data), BREADCRUMB_CHARS)}</span>
        )}
      </span>
    </li>
  ));
}

/** Levels that are shown in color and therefore also named for screen readers. */
const HIGHLIGHTED_LEVELS: ReadonlySet<string | undefined> = new Set(["warning", "error", "fatal"]);

const MINUTE_MS = 60_000;
/** Smaller offsets are shown as 0.0 s. */
const MIN_OFFSET_MS = 50;

/** `−3.2 s`, `−4 min`; `0.0 s` for the same time. */
function formatOffset(ms: number): string {
  const size = Math.abs(ms);
  const sign = size < MIN_OFFSET_MS ? "" : ms < 0 ? "−" : "+";
  return size < MINUTE_MS
    ? `${sign}${(size / 1000).toFixed(1)} s`
    : `${sign}${formatNumber(Math.round(size / MINUTE_MS))} min`;
}

// The user and contexts of a report as tables. Contexts that SDKs send for every machine are
// collapsed.

/** One table per group; nothing if the report has none. */
function Contexts({ report }: { report: Report }) {
  const groups = listContexts(report);
  const appContexts = groups.filter(({ isSystem }) => !isSystem);
  const systemContexts = groups.filter(({ isSystem }) => isSystem);
  if (groups.length === 0) return null;
  return (
    <section className="context">
      <h3>Context</h3>
      <ContextTables groups={appContexts} />
      {systemContexts.length > 0 && (
        <details>
          <summary>{systemContexts.map(({ name }) => name).join(", ")}</summary>
          <ContextTables groups={systemContexts} />
        </details>
      )}
    </section>
  );
}

function ContextTables({ groups }: { groups: readonly ContextGroup[] }) {
  return groups.map(({ name, pairs }, index) => (
    <PairTable key={index} caption={name} pairs={pairs} />
  ));
}

// Preformatted text. Short text is open, long text is collapsed.

const MAX_UNFOLDED_LINES = 14;

/** `text` unchanged. `label` names it in the summary: "Component stack". */
function FoldedText({ text, label }: { text: string; label: string }) {
  const lines = text.split("\n").length;
  if (lines <= MAX_UNFOLDED_LINES) return <pre className="text">{text}</pre>;
  return (
    <details>
      <summary>
        {label}, {formatNumber(lines)} lines
      </summary>
      <pre className="text">{text}</pre>
    </details>
  );
}

// The stored report as JSON, collapsed. Large reports are complete only at their `.json` URL.

/** How much of the JSON the page shows at most. */
const SHOWN_CHARS = 40_000;

/** The JSON and a link to it. `digest` is the issue's; a linked report has none. */
function RawJson({ report, digest }: { report: Report; digest: Digest }) {
  const json = JSON.stringify(withoutAttachmentContents(report), null, 2);
  const isComplete = json.length <= SHOWN_CHARS;
  return (
    <section className="raw">
      <h3>Raw data</h3>
      <details>
        <summary>JSON</summary>
        <pre className="text">{isComplete ? json : `${json.slice(0, SHOWN_CHARS)}\n…`}</pre>
      </details>
      <p>
        <DeskLink href={toReportJsonUrl(digest, report.id)}>Open as JSON</DeskLink>
        {!isComplete && ` (${formatNumber(json.length)} characters)`}
      </p>
    </section>
  );
}

// The HTTP request in which the error happened, and its response.

/** Method, URL, details and headers; nothing if the report has no request. */
function RequestDetails({ report }: { report: Report }) {
  const { request, response } = report;
  if (request === undefined && response === undefined) return null;
  const headers = request?.headers ?? [];
  return (
    <section>
      <h3>Request</h3>
      {request?.url !== undefined && (
        <p className="request-line">
          {request.method !== undefined && <b>{request.method} </b>}
          <ReportedUrl url={request.url} />
        </p>
      )}
      <FactList
        variant="list"
        facts={[
          ["Method", request?.url === undefined ? request?.method : undefined],
          ["Query", request?.query && <bdi>{request.query}</bdi>],
          ["Route", request?.route && <bdi>{request.route}</bdi>],
          ["Response", response && formatResponse(response)],
          [
            "Browser",
            request?.userAgent && (
              <bdi>{parseBrowserName(request.userAgent) ?? request.userAgent}</bdi>
            ),
          ],
        ]}
      />
      {headers.length > 0 && <PairTable caption="Headers" pairs={headers} />}
    </section>
  );
}

function formatResponse({ status, isSilent200 }: { status: number; isSilent200: boolean }): string {
  return isSilent200 ? `${status}, sent before the failure (silent)` : String(status);
}

/** The URL as reported, linked if `safeHref` permits it, without a referrer. */
function ReportedUrl({ url }: { url: string }) {
  const href = safeHref(url);
  if (href === undefined) return <bdi>{url}</bdi>;
  return (
    <a href={href} rel="noreferrer noopener nofollow ugc">
      <bdi>{url}</bdi>
    </a>
  );
}

// The report's tags. Long ones are abbreviated; the report's JSON has them in full.

const KEY_CHARS = 40;
const VALUE_CHARS = 120;
/** Further tags are collapsed. */
const MAX_SHOWN_TAGS = 20;

/** The tags as pairs. */
function Tags({ tags }: { tags: readonly (readonly [key: string, value: string])[] | undefined }) {
  if (tags === undefined || tags.length === 0) return null;
  return (
    <section className="tags">
      <h3>Tags</h3>
      <TagItems tags={tags.slice(0, MAX_SHOWN_TAGS)} />
      {tags.length > MAX_SHOWN_TAGS && (
        <details>
          <summary>{tags.length - MAX_SHOWN_TAGS} more</summary>
          <TagItems tags={tags.slice(MAX_SHOWN_TAGS)} />
        </details>
      )}
    </section>
  );
}

function TagItems({ tags }: { tags: readonly (readonly [key: string, value: string])[] }) {
  return (
    <ul>
      {tags.map(([key, value], index) => (
        <li key={index}>
          <bdi className="tag-key">{abbreviate(key, KEY_CHARS)}</bdi>{" "}
          <bdi>{abbreviate(value, VALUE_CHARS)}</bdi>
        </li>
      ))}
    </ul>
  );
}

// The template of a log message, and the parameters that were inserted.

/** The template with a table of its parameters; nothing if the message has none. */
function Template({ report: { template } }: { report: Report }) {
  if (template === undefined) return null;
  const params = listParams(template);
  return (
    <section className="template">
      <h3>Template</h3>
      <pre className="text" dir="auto">
        {template.text}
      </pre>
      {params.length > 0 && <PairTable caption="Parameters" pairs={params} />}
    </section>
  );
}

// A CSP violation as a sentence, with a link that tests a policy that allows it.

const SOURCE_CHARS = 120;
const MAX_SHOWN_SOURCES = 5;

/** "The page `/help` may load scripts from `'self'` only, but asked for `https://…`." */
function ViolationText({ report }: { report: Report }) {
  const explanation = explainViolation(report);
  const { page, policy, isReportOnly } = explanation;
  const reason = findReason(report);
  const url = policy === undefined ? undefined : toDryRunUrl(policy);
  return (
    <div className="violation-text">
      <p>
        {page === undefined ? "A page" : <>The page {<Source text={page} />}</>}{" "}
        <Permission {...explanation} />.
        {isReportOnly && " The policy only reports: nothing was blocked."}
      </p>
      {reason !== undefined && <p>{INJECTED_TEXTS[reason]}</p>}
      <p>
        <DeskLink href={url ?? "/csp"}>Test a policy for this violation</DeskLink>
      </p>
    </div>
  );
}

/** Why a page token proves that the page did not cause the violation. */
const INJECTED_TEXTS: Readonly<Record<InjectedReason, string>> = {
  "policy-changed":
    "The page was sent with another policy: an extension or a proxy changed it on the way.",
  "not-sent":
    "The page was sent without this: an extension, or a program between the server and the page, added it.",
};

function findReason({ noise, tags = [] }: Report): InjectedReason | undefined {
  const [, value] = tags.find(([name]) => name === noise) ?? [];
  return INJECTED_REASONS.find((reason) => noise === "injected" && reason === value);
}

/** The rest of the sentence. If the policy is unknown, it states only what the policy forbids. */
function Permission({ action, allowed, url, inline }: ViolationExplanation) {
  const demand = url === undefined ? inline : <>asked for {<Source text={url} />}</>;
  if (allowed !== undefined) {
    return (
      <>
        may {allowed.length === 0 ? `not ${action} any origin` : `${action} `}
        <Sources allowed={allowed} />
        {allowed.length > 0 && " only"}, but {demand}
      </>
    );
  }
  if (url === undefined) return <>{inline}, which its policy forbids</>;
  return (
    <>
      may not {action} <Source text={url} />
    </>
  );
}

function Sources({ allowed }: { allowed: readonly string[] }) {
  const hiddenCount = allowed.length - MAX_SHOWN_SOURCES;
  return (
    <>
      {allowed.slice(0, MAX_SHOWN_SOURCES).map((source, n) => (
        <span key={source}>
          {n > 0 && ", "}
          <Source text={source} />
        </span>
      ))}
      {hiddenCount > 0 && ` and ${hiddenCount} more`}
    </>
  );
}

function Source({ text }: { text: string }) {
  return <code dir="ltr">{abbreviate(text, SOURCE_CHARS)}</code>;
}
