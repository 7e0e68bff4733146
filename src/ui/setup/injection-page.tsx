/** The page of the self-test with a prompt injection: what the desk shows, and what MCP shows. */
import { use } from "react";
import type { Issue } from "../../core/issue/issue.ts";
import { INJECTION_PATH } from "../../core/report/injection-report.ts";
import type { Report } from "../../core/report.ts";
import { getNamedBuild } from "../../core/symbolication/report/resolve-request.ts";
import { Boundary } from "../failure/boundary.tsx";
import { StackFrames } from "../issue/stack/original-frames.tsx";
import { IssueListTable } from "../issues/issues-table.tsx";
import { TrustSentence } from "../issues/trust-text.tsx";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { PairTable } from "../parts/pair-table.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";

/** The stored report, and the texts that MCP makes of it. */
export interface Injection {
  readonly issue: Issue;
  /** Null if it was erased. */
  readonly report: Report | null;
  /** What an agent gets without the argument `trust`. */
  readonly byDefault: string;
  /** What it gets if it asks for public reports. */
  readonly asked: string;
}

interface InjectionPageProps {
  /** Null if the report was not sent. */
  readonly injection: Promise<Injection | null>;
  readonly nowMs: number;
}

export function InjectionPage(props: InjectionPageProps) {
  return (
    <article className="injection-page">
      <header className="page-header">
        <p>
          <DeskLink href="/self-test">All self-tests</DeskLink>
        </p>
        <h1>Prompt injection</h1>
        <p>
          Anyone can send a report whose text commands a coding agent. This one does so in its
          message, its stack and a tag; the command is harmless. See{" "}
          <a href="/docs/mcp#text-of-reports">text of reports</a>.
        </p>
        <SendForm />
      </header>
      <Boundary name="injection" loading={<Skeleton shape="rows" label="the report" />}>
        <Shown {...props} />
      </Boundary>
    </article>
  );
}

/** Stores the report, from this page or from the list of self-tests. */
export function SendForm() {
  return (
    <DeskForm requiredRole="member" method="post" action={INJECTION_PATH}>
      <button type="submit">Send the report</button>
    </DeskForm>
  );
}

function Shown({ injection, nowMs }: InjectionPageProps) {
  const loaded = use(injection);
  if (loaded === null) {
    return (
      <div className="empty-state">
        <p className="empty-heading">Not sent yet</p>
        <p>Send the report to see what people and agents see of it.</p>
      </div>
    );
  }
  const { issue, report, byDefault, asked } = loaded;
  return (
    <>
      <section aria-labelledby="in-desk">
        <h2 id="in-desk">In the desk</h2>
        <p className="muted">
          Text, never markup. A globe marks issues that only public reports describe, and their
          reports say how they were sent.
        </p>
        <IssueListTable issues={[issue]} nowMs={nowMs} caption="The issue of the report" />
        {report !== null && <ReportInDesk report={report} />}
        <p>
          <DeskLink href={toIssueUrl(issue.digest)}>Open the issue</DeskLink>
        </p>
      </section>
      <section aria-labelledby="by-default">
        <h2 id="by-default">In MCP</h2>
        <p className="muted">
          The answer of <code>get_investigation</code>. Text of public reports is withheld.
        </p>
        <McpText text={byDefault} />
      </section>
      <section aria-labelledby="asked">
        <h2 id="asked">
          In MCP, with <code>trust=public</code>
        </h2>
        <p className="muted">
          The agent has asked for public reports. Their text is in fences that it cannot end, with
          its author in the first line, and invisible characters are escapes.
        </p>
        <McpText text={asked} />
      </section>
    </>
  );
}

function ReportInDesk({ report }: { report: Report }) {
  const { trust, message, frames, tags = [] } = report;
  return (
    <>
      <p>
        <TrustSentence trust={trust} />
      </p>
      <pre className="shown-text" dir="auto">
        {message}
      </pre>
      <StackFrames frames={frames} resolutions={[]} build={getNamedBuild(report)} />
      <PairTable caption="Tags" pairs={tags} />
    </>
  );
}

function McpText({ text }: { text: string }) {
  return (
    <pre className="shown-text" dir="ltr">
      {text}
    </pre>
  );
}
