/**
 * The page for a code that leads nowhere (status 404). It never says only "not found": it says how the code was understood,
 * why nothing answers to it, and what to try.
 */
import type { ReactNode } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { abbreviate } from "../parts/long-text.tsx";
import { type CorrectedDigest, Corrections } from "./corrections.tsx";
import { LookupForm } from "./lookup-form.tsx";
import { AliasReasons, ControlFlowNote, DigestReasons, ReportIdReasons } from "./reasons.tsx";
import { WaitForReport } from "./wait-for-report.tsx";

/** How what was asked for was read. */
export type UnknownCode =
  | { readonly kind: "awaiting"; readonly digest: string }
  | {
      readonly kind: "misread";
      readonly input: string;
      readonly corrections: readonly CorrectedDigest[];
    }
  | { readonly kind: "control-flow"; readonly name: string }
  | { readonly kind: "alias"; readonly alias: string }
  | { readonly kind: "report-id"; readonly id: string }
  | { readonly kind: "nothing"; readonly query: string };

/** What the page is made of. */
export interface UnknownCodePageProps {
  readonly code: UnknownCode;
  /** For a digest that may still arrive: settles when it has, or with null when it was not seen in time. */
  readonly awaitedIssue?: Promise<IssueSummary | null> | undefined;
  /** What was typed, to be mended; by default the code as it was read. */
  readonly query?: string | undefined;
}

const CODE_CHARS = 120;

/** The page of a lookup without an answer. */
export function UnknownCodePage({ code: reading, awaitedIssue, query }: UnknownCodePageProps) {
  const { code, head, body } = explainCode(reading, awaitedIssue);
  return (
    <div className="unknown-page">
      <header className="page-header">
        <h1>
          <bdi className="asked">{abbreviate(code, CODE_CHARS) || "An empty question"}</bdi> {head}
        </h1>
      </header>
      {body}
      <section className="ask-again">
        <h2>Try another</h2>
        <LookupForm query={query ?? code} />
      </section>
    </div>
  );
}

/** The code that was asked for, what is wrong with it (it completes a sentence that begins with the code), and why. */
function explainCode(
  reading: UnknownCode,
  watching: UnknownCodePageProps["awaitedIssue"],
): { readonly code: string; readonly head: string; readonly body: ReactNode } {
  switch (reading.kind) {
    case "awaiting":
      return {
        code: reading.digest,
        head: "is not known here yet",
        body: (
          <>
            {watching !== undefined && <WaitForReport awaitedIssue={watching} />}
            <DigestReasons digest={reading.digest} />
          </>
        ),
      };
    case "misread":
      return {
        code: reading.input,
        head: "was misread",
        body: <Corrections input={reading.input} corrections={reading.corrections} />,
      };
    case "control-flow":
      return {
        code: reading.name,
        head: "is not an error",
        body: <ControlFlowNote name={reading.name} />,
      };
    case "alias":
      return { code: reading.alias, head: "is in no report", body: <AliasReasons /> };
    case "report-id":
      return {
        code: reading.id,
        head: "is not among the reports kept here",
        body: <ReportIdReasons />,
      };
    case "nothing":
      return {
        code: reading.query,
        head: "has no code in it, and no issue has these words",
        body: (
          <p className="intro">
            A digest looks like <code>7F3K-Q2M9</code>, a Next.js code is a number of up to ten
            digits, and an event id has 32 letters and digits. The whole text of the notice works
            too, and so does a line of the error or its stack.
          </p>
        ),
      };
  }
}
