/** The newest reports of an issue as lines to choose from: when, in which browser or release, where. */
import type { ReactNode } from "react";
import type { Mark } from "../../core/issue.ts";
import { A } from "../place.tsx";
import { Time } from "../time.tsx";
import { reportHref } from "./report-stepper.tsx";

/** What the list is made of. `current` is the id of the report that is open. */
export interface ReportListProps {
  readonly marks: readonly Mark[];
  readonly current?: string | undefined;
  readonly nowMs: number;
  /** What a line says behind its moment; who and where if nothing else. */
  readonly say?: (props: { readonly mark: Mark }) => ReactNode;
}

/** So many stand open; the others wait behind a summary, unless the open report is among them. */
const SHOWN = 8;

/** The lines, newest first. */
export function ReportList(props: ReportListProps) {
  const { marks, current } = props;
  const rest = marks.slice(SHOWN);
  return (
    <>
      <Lines {...props} marks={marks.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details open={rest.some(({ id }) => id === current)}>
          <summary>{rest.length} more</summary>
          <Lines {...props} marks={rest} />
        </details>
      )}
    </>
  );
}

function Lines({ marks, current, nowMs, say = WhoAndWhere }: ReportListProps) {
  const Said = say;
  return (
    <ol className="reports">
      {marks.map((mark) => (
        <li key={mark.id}>
          <A href={reportHref(mark.id)} aria-current={mark.id === current ? "true" : undefined}>
            <Time atMs={mark.atMs} nowMs={nowMs} /> <Said mark={mark} />
          </A>
        </li>
      ))}
    </ol>
  );
}

function WhoAndWhere({ mark }: { readonly mark: Mark }) {
  return (
    <>
      <span className="report-who">
        <bdi>{mark.browser ?? mark.release ?? mark.side}</bdi>
      </span>{" "}
      <span className="report-where">
        <bdi>{placeOf(mark)}</bdi>
      </span>
    </>
  );
}

/** The path of the address, else the route, else nothing: of one issue's reports it is what differs. */
function placeOf(mark: Mark): string {
  if (mark.url === undefined) return mark.route ?? "";
  return URL.canParse(mark.url) ? new URL(mark.url).pathname : mark.url;
}
