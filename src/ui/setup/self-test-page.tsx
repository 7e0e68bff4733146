/**
 * The self-test: one button for each way to fail, and under them the issues that came of it, so that the loop from notice
 * to desk proves itself in a minute.
 */
import { use } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { Boundary } from "../failure/boundary.tsx";
import { IssueListTable } from "../issues/issues-table.tsx";
import { DeskForm } from "../parts/desk-context.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import type { SelfTestKind } from "./self-test-kinds.ts";

/** What the page is made of. */
export interface SelfTestPageProps {
  readonly kinds: readonly SelfTestKind[];
  /** The newest issues that the self-test caused; streams in. */
  readonly recent: Promise<readonly IssueSummary[]>;
  readonly nowMs: number;
}

/** The page at `/self-test`. */
export function SelfTestPage({ kinds, recent, nowMs }: SelfTestPageProps) {
  return (
    <div className="self-test-page">
      <header className="page-header">
        <h1>Self-test</h1>
        <p>
          Each button breaks something on purpose. Follow what you see: the notice shows a digest,
          the digest leads to this desk, and the desk shows the error.
        </p>
      </header>
      <SelfTestList
        title="On the server"
        description="The render fails, and the notice carries a digest."
        kinds={kinds.filter(({ side }) => side === "server")}
      />
      <SelfTestList
        title="In the browser"
        description="The browser fails, alone or together with the server. These need JavaScript."
        kinds={kinds.filter(({ side }) => side === "browser")}
      />
      <section aria-labelledby="recent">
        <h2 id="recent">What came of it</h2>
        <Boundary name="recent" loading={<Skeleton shape="rows" label="what came of it" />}>
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
  if (issues.length === 0) return <p className="muted">Nothing has been thrown from here yet.</p>;
  return (
    <IssueListTable
      issues={issues}
      nowMs={nowMs}
      caption="Issues that the self-test caused, newest first"
    />
  );
}
