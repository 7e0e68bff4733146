/** Steps through the newest reports of an issue, by plain links. Newer is to the left: the list is newest first. */
import type { Mark } from "../../core/issue.ts";
import { newestReport } from "../../core/open-report.ts";
import { Arrow } from "../marks.tsx";
import { A } from "../place.tsx";
import { reportSearch } from "./issue-url.ts";

/** The address of one report on its issue's page; the fragment keeps the place on the page. */
export function reportHref(id: string): string {
  return `${reportSearch(id)}#report`;
}

/**
 * "2 of 13" with links to its neighbours: among the occurrences, or among the linked reports, whichever the open one is. A
 * report that is older than all in `latest` leads to the newest.
 */
export function ReportStepper({
  latest,
  id,
}: {
  readonly latest: readonly Mark[];
  readonly id: string;
}) {
  const open = latest.find((mark) => mark.id === id);
  const newest = newestReport(latest);
  if (newest === undefined) return null;
  if (open === undefined) {
    return (
      <nav className="stepper" aria-label="Reports">
        <A href={reportHref(newest.id)}>To the newest</A>
      </nav>
    );
  }
  const alike = latest.filter(({ linked }) => linked === open.linked);
  const index = alike.indexOf(open);
  if (alike.length === 1) return null;
  return (
    <nav className="stepper" aria-label="Reports">
      <Step to={alike[index - 1]} way="newer" />{" "}
      <span className="stepper-place">
        {index + 1} of {alike.length}
      </span>{" "}
      <Step to={alike[index + 1]} way="older" />
    </nav>
  );
}

function Step({ to, way }: { to: Mark | undefined; way: "newer" | "older" }) {
  const arrow = <Arrow to={way === "newer" ? "left" : "right"} />;
  const word = way === "newer" ? "Newer" : "Older";
  if (to === undefined) {
    return (
      <span className="step" data-end="">
        {arrow}
        <span className="unseen">No {way} report</span>
      </span>
    );
  }
  return (
    <A
      id={way}
      className="step"
      href={reportHref(to.id)}
      rel={way === "newer" ? "prev" : "next"}
      data-key={way === "newer" ? "k" : "j"}
    >
      {arrow}
      <span className="unseen">{word} report</span>
    </A>
  );
}
