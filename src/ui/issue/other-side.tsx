/**
 * What the other side reported of the same fault: beside the server's stack what the browser said, beside the browser's what the
 * server did. Enough to compare; the report itself is one link away.
 */
import type { Mark } from "../../core/issue.ts";
import type { Frame, Report } from "../../core/report.ts";
import { headOf } from "../long-text.tsx";
import { A } from "../place.tsx";
import { Time } from "../time.tsx";
import { reportHref } from "./report-stepper.tsx";

const MESSAGE_CHARS = 240;
const PLACE_CHARS = 80;
const SHOWN_FRAMES = 3;

/** The other report by its mark, and its newest frames when `report` has come; nothing without a mark. */
export function OtherSide({
  mark,
  report,
  nowMs,
}: {
  readonly mark: Mark | undefined;
  readonly report?: Report | null;
  readonly nowMs: number;
}) {
  if (mark === undefined) return null;
  const facts = [mark.browser, mark.release, mark.url ?? mark.route];
  return (
    <section className="other-side" aria-labelledby="other-side-heading">
      <h2 id="other-side-heading">
        {mark.side === "browser" ? "In the browser" : "On the server"}
      </h2>
      <p className="other-words">
        <bdi className="type">{headOf(mark.type, PLACE_CHARS)}</bdi>{" "}
        <span dir="auto">{headOf(mark.message, MESSAGE_CHARS)}</span>
      </p>
      {mark.kind === "error" && <BriefFrames report={report} />}
      <p className="other-facts">
        <Time atMs={mark.atMs} nowMs={nowMs} />
        {facts.map(
          (fact, n) =>
            fact !== undefined && (
              // The parts have no identity but their place, and never move.
              <span key={n}>
                {" "}
                <bdi>{headOf(fact, PLACE_CHARS)}</bdi>
              </span>
            ),
        )}
      </p>
      <p>
        <A href={reportHref(mark.id)}>The whole report</A>
      </p>
    </section>
  );
}

/** The newest frames; there is room for them while the report is awaited (undefined). */
function BriefFrames({ report }: { report: Report | null | undefined }) {
  if (report === undefined) return <div className="brief-frames" />;
  const frames = report?.frames ?? [];
  if (frames.length === 0) return <p className="brief-frames">No stack is known.</p>;
  return (
    <ol className="brief-frames">
      {frames.slice(0, SHOWN_FRAMES).map((frame, n) => (
        <li key={n} data-app={frame.inApp ? "" : undefined}>
          <bdi>{headOf(frame.function ?? "(anonymous)", PLACE_CHARS)}</bdi>{" "}
          <bdi className="at">{placeOf(frame)}</bdi>
        </li>
      ))}
    </ol>
  );
}

/** `cart.tsx:12` */
function placeOf({ file = "", line }: Frame): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return headOf(line === undefined ? name : `${name}:${line}`, PLACE_CHARS);
}
