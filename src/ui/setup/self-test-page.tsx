/** The page at `/self-test`: a button for each kind of failure, and the issues they caused. */
import { use } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { INJECTION_PATH } from "../../core/report/injection-report.ts";
import { SELF_REPORT_QUERY } from "../../core/report/self-reports.ts";
import { Boundary } from "../failure/boundary.tsx";
import { IssueListTable } from "../issues/issues-table.tsx";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { toSearchUrl } from "../urls/issue-list-urls.ts";
import { SendForm } from "./injection-page.tsx";
import type { SelfTestKind } from "./self-test-kinds.ts";

interface SelfTestPageProps {
  readonly kinds: readonly SelfTestKind[];
  /** The newest issues caused by the self-test. */
  readonly recent: Promise<readonly IssueSummary[]>;
  readonly nowMs: number;
}

export function SelfTestPage({ kinds, recent, nowMs }: SelfTestPageProps) {
  return (
    <div className="self-test-page">
      <header className="page-header">
        <h1>Self-test</h1>
        <p>
          Each button triggers a failure. Follow it from the notice to the digest, and from there to
          the issue.
        </p>
      </header>
      <SelfTestList
        title="On the server"
        description="The render fails, and the notice has a digest."
        kinds={kinds.filter(({ side }) => side === "server")}
      />
      <SelfTestList
        title="In the browser"
        description="Rendering fails in the browser, and in some tests also on the server. Requires JavaScript."
        kinds={kinds.filter(({ side }) => side === "browser")}
      />
      <section className="self-test-list" aria-labelledby="agents">
        <header>
          <h2 id="agents">For coding agents</h2>
          <p>A report is stored whose text commands an agent.</p>
        </header>
        <ul>
          <li>
            <div>
              <h3>
                <DeskLink href={INJECTION_PATH}>A prompt injection</DeskLink>
              </h3>
              <p>What the desk shows of it, and what an agent reads by MCP.</p>
            </div>
            <SendForm />
          </li>
        </ul>
      </section>
      <section aria-labelledby="recent">
        <h2 id="recent">Recent self-test issues</h2>
        <p className="muted">
          Listed with <DeskLink href={toSearchUrl(SELF_REPORT_QUERY)}>Errata’s own errors</DeskLink>
          , apart from those of your application.
        </p>
        <Boundary name="recent" loading={<Skeleton shape="rows" label="recent issues" />}>
          <RecentIssues recent={recent} nowMs={nowMs} />
        </Boundary>
      </section>
    </div>
  );
}

function SelfTestList({
  title,
  description,
  kinds,
}: {
  title: string;
  description: string;
  kinds: readonly SelfTestKind[];
}) {
  if (kinds.length === 0) return null;
  return (
    <section className="self-test-list">
      <header>
        <h2>{title}</h2>
        <p>{description}</p>
      </header>
      <ul>
        {kinds.map(({ kind, title: name, description }) => (
          <li key={kind}>
            <div>
              <h3>{name}</h3>
              <p>{description}</p>
            </div>
            <DeskForm action={`/self-test/${kind}`} method="get">
              <button type="submit" aria-label={`Throw: ${name}`}>
                Throw
              </button>
            </DeskForm>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RecentIssues({ recent, nowMs }: Pick<SelfTestPageProps, "recent" | "nowMs">) {
  const issues = use(recent);
  if (issues.length === 0) return <p className="muted">No self-test errors yet. Throw one.</p>;
  return (
    <>
      <IssueListTable issues={issues} nowMs={nowMs} caption="Self-test issues, newest first" />
      <DeskForm requiredRole="owner" className="spaced" method="post" action="/self-test/remove">
        <button type="submit" className="danger">
          Remove these
        </button>{" "}
        <span className="muted">Erases the issues and reports of self-tests.</span>
      </DeskForm>
    </>
  );
}
