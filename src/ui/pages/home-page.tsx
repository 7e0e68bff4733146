/** The desk's first page: the lookup box, and under it the newest issues as they arrive from the index. */
import { use } from "react";
import { stateOf } from "../../core/decision.ts";
import type { IssueList } from "../../core/issue.ts";
import { Boundary } from "../boundary.tsx";
import { counted } from "../figure.tsx";
import { IssueTable } from "../issue-table.tsx";
import { searchUrl } from "../issues/list-url.ts";
import { NothingYet } from "../issues/nothing.tsx";
import { LookupForm } from "../lookup-form.tsx";
import { A } from "../place.tsx";
import { Skeleton } from "../skeleton.tsx";

/** What the page is made of. */
export interface HomePageProps {
  /** Streams in under the box. */
  readonly list: Promise<IssueList>;
  readonly nowMs: number;
}

/** As many as one look takes in; all others are on a page of their own. */
const SHOWN = 8;

/** The page at `/`. */
export function HomePage({ list, nowMs }: HomePageProps) {
  return (
    <div className="list-page">
      <section className="ask">
        <h1>What broke?</h1>
        <LookupForm focus />
      </section>
      <section aria-labelledby="newest" data-live="">
        <h2 id="newest">Newest issues</h2>
        <Boundary name="newest" loading={<Skeleton shape="rows" label="the newest issues" />}>
          <Newest list={list} nowMs={nowMs} />
        </Boundary>
      </section>
    </div>
  );
}

function Newest({ list, nowMs }: HomePageProps) {
  const { issues, total, noiseTotal = 0 } = use(list);
  const open = issues.filter((issue) => stateOf(issue, nowMs) === "open").slice(0, SHOWN);
  if (total + noiseTotal === 0) return <NothingYet />;
  return (
    <>
      <p className="beside-heading">
        <A href="/issues">All issues</A>
      </p>
      {open.length > 0 ? (
        <IssueTable issues={open} nowMs={nowMs} caption="The newest open issues, newest first" />
      ) : (
        <p className="aside">
          None of the newest is open.{" "}
          {total > 0 && <A href={searchUrl("")}>{counted(total, "issue")} in other states</A>}
        </p>
      )}
      <NoiseLink issues={noiseTotal} />
    </>
  );
}

/** The way to what is no fault of the page. */
function NoiseLink({ issues }: { readonly issues: number }) {
  if (issues === 0) return null;
  return (
    <p className="aside apart">
      <A href={searchUrl("is:noise")}>{counted(issues, "issue")} kept apart as noise</A>:
      extensions, injected scripts, translated pages.
    </p>
  );
}
