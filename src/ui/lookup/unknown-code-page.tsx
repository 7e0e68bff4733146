/**
 * The page for a code without a result (status 404). It shows the interpreted code, waits for its
 * report if that may still arrive, and says why the code may be unknown and what to try.
 */
import type { ReactNode } from "react";
import { isAwaitedAlias } from "../../core/lookup/alias.ts";
import { abbreviate } from "../parts/long-text.tsx";
import { type CorrectedDigest, Corrections } from "./corrections.tsx";
import { LookupForm } from "./lookup-form.tsx";
import { OtherProjectsNote } from "./other-projects.tsx";
import { AliasReasons, ControlFlowNote, DigestReasons, ReportIdReasons } from "./reasons.tsx";
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
  | { readonly kind: "nothing"; readonly query: string };

interface UnknownCodePageProps {
  readonly code: UnknownCode;
  /** The number of other projects that were searched, and of those that did not answer. */
  readonly otherProjects?: { readonly searched: number; readonly unanswered: number };
  /** The typed text, to be edited; by default the interpreted code. */
  readonly query?: string | undefined;
}

const CODE_CHARS = 120;

/** The code if its report may still arrive; undefined otherwise. */
export function getAwaitedCode(code: UnknownCode): string | undefined {
  switch (code.kind) {
    case "digest":
      return code.digest;
    case "report-id":
      return code.id;
    case "alias":
      return isAwaitedAlias(code.alias) ? code.alias : undefined;
    default:
      return undefined;
  }
}

export function UnknownCodePage({ code: unknownCode, otherProjects, query }: UnknownCodePageProps) {
  const { code, head, body } = explainCode(unknownCode);
  const isAwaited = getAwaitedCode(unknownCode) !== undefined;
  const hasReasons = isAwaited || unknownCode.kind === "alias";
  const shownCode = (
    <bdi className="query-text">{abbreviate(code, CODE_CHARS) || "An empty query"}</bdi>
  );
  return (
    <div className="unknown-code-page">
      <header className="page-header">
        {isAwaited ? (
          <AwaitedHeading>{shownCode}</AwaitedHeading>
        ) : (
          <h1>
            {shownCode} {head}
          </h1>
        )}
        {unknownCode.kind !== "control-flow" && otherProjects !== undefined && (
          <OtherProjectsNote {...otherProjects} />
        )}
      </header>
      {isAwaited && <WaitForReport query={query ?? code} code={code} />}
      {hasReasons ? (
        <details className="why-missing" open={!isAwaited}>
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
        body: <Corrections input={unknownCode.input} corrections={unknownCode.corrections} />,
      };
    case "control-flow":
      return {
        code: unknownCode.name,
        head: "is not an error",
        body: <ControlFlowNote name={unknownCode.name} />,
      };
    case "alias":
      return { code: unknownCode.alias, head: "was not found", body: <AliasReasons /> };
    case "report-id":
      return { code: unknownCode.id, body: <ReportIdReasons /> };
    case "nothing":
      return {
        code: unknownCode.query,
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
