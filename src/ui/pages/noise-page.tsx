/** What is kept apart as noise: the same list as on the first page, of reports that are no fault of the page. */
import { use } from "react";
import type { IssueList } from "../../core/issue.ts";
import { Boundary } from "../boundary.tsx";
import { IssueTable } from "../issue-table.tsx";
import { Skeleton } from "../skeleton.tsx";

/** What the page is made of. */
export interface NoisePageProps {
  readonly list: Promise<IssueList>;
  readonly nowMs: number;
}

/** The page at `/noise`. */
export function NoisePage({ list, nowMs }: NoisePageProps) {
  return (
    <div className="list-page">
      <header className="page-head">
        <h1>Noise</h1>
        <p>
          What breaks through a browser extension, a script that an app or a network injects, or the
          translation of a page. It is counted like everything else, and stands here so that it does
          not stand between you and your own faults.
        </p>
      </header>
      <Boundary name="noise" loading={<Skeleton shape="rows" label="the noise" />}>
        <NoiseList list={list} nowMs={nowMs} />
      </Boundary>
    </div>
  );
}

function NoiseList({ list, nowMs }: NoisePageProps) {
  const { issues } = use(list);
  if (issues.length === 0) return <p className="aside">Nothing has been kept apart yet.</p>;
  return <IssueTable issues={issues} nowMs={nowMs} caption="What is kept apart, newest first" />;
}
