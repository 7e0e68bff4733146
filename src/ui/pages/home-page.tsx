/** The desk's first page: the lookup box, and under it the newest issues as they arrive from the index. */
import { use } from "react";
import type { IssueList } from "../../core/issue.ts";
import { Boundary } from "../boundary.tsx";
import { CopyButton } from "../copy-button.tsx";
import { counted } from "../figure.tsx";
import { IssueTable } from "../issue-table.tsx";
import { LookupForm } from "../lookup-form.tsx";
import { Skeleton } from "../skeleton.tsx";

/** What the page is made of. */
export interface HomePageProps {
  /** Streams in under the box. */
  readonly list: Promise<IssueList>;
  readonly nowMs: number;
  /** Where an SDK sends to, for the empty state: `http://key@localhost:8787/1`. */
  readonly dsn?: string | undefined;
}

/** The page at `/`. */
export function HomePage({ list, nowMs, dsn }: HomePageProps) {
  return (
    <div className="list-page">
      <section className="ask">
        <h1>What broke?</h1>
        <LookupForm focus />
      </section>
      <section aria-labelledby="newest">
        <h2 id="newest">Newest issues</h2>
        <Boundary name="newest" loading={<Skeleton shape="rows" label="the newest issues" />}>
          <Newest list={list} nowMs={nowMs} dsn={dsn} />
        </Boundary>
      </section>
    </div>
  );
}

function Newest({ list, nowMs, dsn }: HomePageProps) {
  const { issues, total, noiseTotal = 0 } = use(list);
  if (issues.length === 0) {
    return (
      <>
        <NothingYet dsn={dsn} />
        <NoiseLink issues={noiseTotal} />
      </>
    );
  }
  return (
    <>
      <p className="beside-heading">
        {total > issues.length
          ? `${issues.length} of ${counted(total, "issue")}`
          : counted(total, "issue")}
      </p>
      <IssueTable issues={issues} nowMs={nowMs} caption="The newest issues, newest first" />
      <NoiseLink issues={noiseTotal} />
    </>
  );
}

/** The way to what is no fault of the page. */
function NoiseLink({ issues }: { readonly issues: number }) {
  if (issues === 0) return null;
  return (
    <p className="aside apart">
      <a href="/noise">{counted(issues, "issue")} kept apart as noise</a>: extensions, injected
      scripts, translated pages.
    </p>
  );
}

/** A project without reports: two ways to the first one. */
function NothingYet({ dsn = "https://key@this-address/1" }: { dsn?: string | undefined }) {
  const tunnel = URL.canParse(dsn) ? `${new URL(dsn).origin}/monitoring` : "/monitoring";
  const lines = `Sentry.init({\n  dsn: "${dsn}",\n  tunnel: "${tunnel}",\n});`;
  return (
    <div className="empty">
      <p className="empty-say">Nothing has broken yet, or nobody has told this desk.</p>
      <ol>
        <li>
          <a href="/self-test">Throw something on purpose</a> and follow it from the notice to this
          list. It takes a minute.
        </li>
        <li>
          Or let your app report here, with any Sentry SDK:
          <div className="snippet">
            <pre>{lines}</pre>
            <CopyButton text={lines} what="these lines" />
          </div>
        </li>
      </ol>
    </div>
  );
}
