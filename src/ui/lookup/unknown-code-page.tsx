/**
 * The page for a code without a result (status 404). It shows the interpreted code, waits for its
 * report if that may still arrive, and says why the code may be unknown and what to try.
 */
import type { ReactNode } from "react";
import type { DigestCorrection } from "../../core/grouping/parse-digest.ts";
import { getAliasKind, isAwaitedAlias } from "../../core/lookup/alias.ts";
import { namePastedText } from "../../core/lookup/pasted-words.ts";
import { MINUTE_MS } from "../../core/utc-time.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { LookupForm } from "./lookup-form.tsx";
import { OtherProjectsNote } from "./other-projects.tsx";
import { ToldCode, type ToldCodeProps } from "./told-code.tsx";
import { AwaitedHeading, WaitForReport } from "./wait-for-report.tsx";

/** The interpretation of the query. */
export type UnknownCode =
  | { readonly kind: "digest"; readonly digest: string }
  | {
      readonly kind: "misread";
      readonly input: string;
      readonly corrections: readonly CorrectedDigest[];
    }
  | { readonly kind: "control-flow"; readonly name: string }
  | { readonly kind: "alias"; readonly alias: string }
  | { readonly kind: "report-id"; readonly id: string }
  /** An id of a request, whose report may still arrive. */
  | { readonly kind: "request"; readonly id: string }
  /** The name of an error in place of a page. */
  | { readonly kind: "error-name"; readonly name: string; readonly owner: string }
  | { readonly kind: "nothing"; readonly query: string };

interface UnknownCodePageProps {
  readonly code: UnknownCode;
  /** The number of other projects that were searched, and of those that did not answer. */
  readonly otherProjects?: { readonly searched: number; readonly unanswered: number };
  /** What is known of a code of another system. */
  readonly told?: ToldCodeProps | undefined;
  /** The typed text, to be edited; by default the interpreted code. */
  readonly query?: string | undefined;
}

const CODE_CHARS = 120;

/** The code if its report may still arrive; undefined otherwise. */
export function getAwaitedCode(
  code: UnknownCode,
  told: Pick<ToldCodeProps, "story" | "nowMs"> | undefined,
): string | undefined {
  if (isOld(told)) return undefined;
  switch (code.kind) {
    case "digest":
      return code.digest;
    case "report-id":
    case "request":
      return code.id;
    case "alias":
      return isAwaitedAlias(code.alias) ? code.alias : undefined;
    default:
      return undefined;
  }
}

/** Reports arrive within seconds: for a code that was made before, none will. */
function isOld(told: Pick<ToldCodeProps, "story" | "nowMs"> | undefined): boolean {
  const madeMs = told?.story.madeMs;
  return told !== undefined && madeMs !== undefined && told.nowMs - madeMs > MINUTE_MS;
}

export function UnknownCodePage(props: UnknownCodePageProps) {
  const { code: unknownCode, otherProjects, told, query } = props;
  const { code, head, body } = explainCode(unknownCode);
  const isAwaited = getAwaitedCode(unknownCode, told) !== undefined;
  const hasReasons = isAwaited || isOld(told) || unknownCode.kind === "alias";
  const shownCode = (
    <bdi className="query-text">{abbreviate(code, CODE_CHARS) || "An empty query"}</bdi>
  );
  return (
    <div className="unknown-code-page">
      <header className="page-header">
        {isAwaited ? (
          <AwaitedHeading>{shownCode}</AwaitedHeading>
        ) : isOld(told) ? (
          <>
            <h1>No report has this id</h1>
            <p>{shownCode}</p>
          </>
        ) : (
          <h1>
            {shownCode} {head}
          </h1>
        )}
        {unknownCode.kind !== "control-flow" && otherProjects !== undefined && (
          <OtherProjectsNote {...otherProjects} />
        )}
      </header>
      {told !== undefined && <ToldCode {...told} />}
      {isAwaited && <WaitForReport query={query ?? code} code={code} />}
      {hasReasons ? (
        <details className="why-missing" open={!isAwaited && told === undefined}>
          <summary>Why might it be missing?</summary>
          {body}
        </details>
      ) : (
        body
      )}
      <section className="lookup-again">
        <h2>Try another code</h2>
        <LookupForm query={query ?? code} />
      </section>
    </div>
  );
}

/**
 * The code, the rest of the sentence that begins with it unless the page waits for its report, and
 * the explanation.
 */
function explainCode(unknownCode: UnknownCode): {
  readonly code: string;
  readonly head?: string;
  readonly body: ReactNode;
} {
  switch (unknownCode.kind) {
    case "digest":
      return {
        code: unknownCode.digest,
        body: <DigestReasons digest={unknownCode.digest} />,
      };
    case "misread":
      return {
        code: unknownCode.input,
        head: "is not a valid digest",
        body: <Corrections corrections={unknownCode.corrections} />,
      };
    case "control-flow":
      return {
        code: unknownCode.name,
        head: "is not an error",
        body: <ControlFlowNote name={unknownCode.name} />,
      };
    case "alias":
      return {
        code: unknownCode.alias,
        head: "was not found",
        body: <AliasReasons alias={unknownCode.alias} />,
      };
    case "report-id":
      return { code: unknownCode.id, body: <ReportIdReasons /> };
    case "request":
      return { code: unknownCode.id, body: <RequestReasons /> };
    case "error-name":
      return {
        code: unknownCode.name,
        head: `is an error of ${unknownCode.owner}, and no report is about it`,
        body: null,
      };
    case "nothing":
      return {
        code: namePastedText(unknownCode.query),
        head: "contains no code, and no issue matches it",
        body: (
          <p className="intro">
            A digest looks like <code>7F3K-Q2M9</code>, a Next.js code is a number of up to ten
            digits, and an event id has 32 letters and digits. You can also paste the whole text of
            the notice, or a line of the error or its stack trace.
          </p>
        ),
      };
  }
}

// Suggestions for a misread digest, worded like a printed erratum: "for 8 read B". The check
// character detects any single wrong character, so only a few digests with one look-alike replaced
// are possible.

/** A digest that the input may have meant. */
interface CorrectedDigest extends DigestCorrection {
  /** True if there is an issue with this digest. */
  readonly isKnown: boolean;
  /** The issue's title, if known. */
  readonly title?: string | undefined;
}

/** The possible digests, existing issues first. */
function Corrections({ corrections }: { corrections: readonly CorrectedDigest[] }) {
  const knownCorrections = corrections.filter((correction) => correction.isKnown);
  const unknownCorrections = corrections.filter((correction) => !correction.isKnown);
  return (
    <>
      <p className="intro">
        The check character does not match, so at least one character is wrong, missing or too many.
        Did you mean one of these digests?
      </p>
      {knownCorrections.length > 0 && (
        <CorrectionList title="Existing issues" corrections={knownCorrections} />
      )}
      {unknownCorrections.length > 0 && (
        <CorrectionList
          title={knownCorrections.length > 0 ? "Valid, but unknown" : "Valid, but all unknown"}
          corrections={unknownCorrections}
        />
      )}
    </>
  );
}

function CorrectionList({
  title,
  corrections,
}: {
  title: string;
  corrections: readonly CorrectedDigest[];
}) {
  return (
    <section className="corrections">
      <h2>{title}</h2>
      <ol>
        {corrections.map((correction) => (
          <li key={correction.digest}>
            <span className="correction-hint">
              <CorrectionHint {...correction} />
            </span>{" "}
            <DeskLink href={toIssueUrl(correction.digest)} aria-label={correction.digest}>
              <CorrectedCode {...correction} />
            </DeskLink>{" "}
            {correction.title !== undefined && (
              <span className="correction-title" dir="auto">
                {correction.title}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What to change in the input. */
function CorrectionHint({ read, replacement }: DigestCorrection) {
  if (read === "")
    return (
      <>
        <ins>{replacement}</ins> is missing
      </>
    );
  if (replacement === "")
    return (
      <>
        <s>{read}</s> is one too many
      </>
    );
  return (
    <>
      for <s>{read}</s> read <ins>{replacement}</ins>
    </>
  );
}

/** The digest, with the characters marked that replace others. */
function CorrectedCode({ digest, position, replacement }: DigestCorrection) {
  const dash = digest.indexOf("-");
  return (
    <code className="digest">
      {[...digest].map((character, index) => {
        const place = index > dash ? index - 1 : index;
        const isChanged =
          index !== dash && place >= position && place < position + replacement.length;
        return isChanged ? <ins key={index}>{character}</ins> : character;
      })}
    </code>
  );
}

// Possible reasons why a well-formed code is unknown, and what to do: static text. The heading is
// the page's.

/** Why a digest with a valid check character may be unknown. */
function DigestReasons({ digest }: { digest: string }) {
  return (
    <ReasonList>
      <Reason name="The report could not be stored">
        Search the Worker’s log for <code>{digest}</code>.
      </Reason>
      <Reason name="It belongs to another project">
        Only members of that project can open its issues.
      </Reason>
      <Reason name="It was erased">
        The issue and its reports were erased. If the error happens again, the digest leads to a new
        issue.
      </Reason>
      <Reason name="It has expired">
        An issue expires if its error does not happen again within the retention period.
      </Reason>
    </ReasonList>
  );
}

/** Why a code of another system may be unknown: what fits its kind. */
function AliasReasons({ alias }: { alias: string }) {
  const kind = getAliasKind(alias);
  if (kind === "request") return <RequestReasons />;
  return (
    <ReasonList>
      {kind === "next-digest" && <NextReasons />}
      {(kind === "person" || kind === "word") && <PersonReasons />}
      {kind === "ip" && (
        <Reason name="It is an IP address">
          Errata does not store IP addresses. Only issues whose text contains it are found.
        </Reason>
      )}
      <ReportExpired />
    </ReasonList>
  );
}

function NextReasons() {
  return (
    <>
      <Reason name="The error was never sent here">
        A Next.js app sends errors from <code>onRequestError</code> in{" "}
        <code>instrumentation.ts</code> to <code>/monitoring</code>. Next.js does not always call it
        for errors in server actions and prefetches.
      </Reason>
      <Reason name="It comes from another build">
        A Next.js code changes with every build, even for the same error. Search for the message
        instead.
      </Reason>
      <Reason name="A digit is wrong">
        Compare the code with the screenshot. These codes have no check digit.
      </Reason>
    </>
  );
}

function PersonReasons() {
  return (
    <>
      <Reason name="No report names it">
        Reports name a user only if the app sets the user, such as with <code>setUser</code>.
      </Reason>
      <Reason name="It was erased">
        The contents of the person’s reports were erased. Their issues remain.
      </Reason>
    </>
  );
}

function ReportExpired() {
  return (
    <Reason name="It has expired">
      Reports are deleted after the retention period, which is three times as long for rare issues.
    </Reason>
  );
}

/** Why an id of a request may have no report. */
function RequestReasons() {
  return (
    <ReasonList>
      <Reason name="The request caused no report">
        The platform may have ended it before your code ran, or your code caught the error.
      </Reason>
      <Reason name="The report does not name it">
        Send the headers of the request, or set the tag <code>request_id</code>.
      </Reason>
      <ReportExpired />
    </ReasonList>
  );
}

/** Why an event id may have no report. */
function ReportIdReasons() {
  return (
    <ReasonList>
      <Reason name="It was not sent">
        The SDK may have dropped it (sampling, a filter), or a browser extension blocked it.
      </Reason>
      <ReportExpired />
    </ReasonList>
  );
}

/** Explains the digest of a framework signal, which is not an error. */
function ControlFlowNote({ name }: { name: string }) {
  return (
    <div className="intro">
      <p>{explainSignal(name)}</p>
      <p>
        Frameworks throw and catch such signals on purpose. They are not errors and are not stored.
        If a visitor saw this one, a <code>catch</code> block in the app treated it as an error.
        Rethrow it there.
      </p>
    </div>
  );
}

function explainSignal(name: string): string {
  if (/redirect/i.test(name)) return "Server components throw it to redirect the visitor.";
  if (/not[-_ ]?found|404/i.test(name))
    return "Server components throw it if a page does not exist.";
  if (/403|401|forbidden|unauthorized/i.test(name))
    return "Server components throw it to deny access.";
  if (/bailout|dynamic|postpone|prerender/i.test(name))
    return "Components throw it to be rendered later: at the time of the request, or in the browser.";
  return "It is a framework signal, not an error.";
}

function ReasonList({ children }: { children: ReactNode }) {
  return <dl className="reasons">{children}</dl>;
}

function Reason({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
