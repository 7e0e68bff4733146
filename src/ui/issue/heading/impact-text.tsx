/** Whom an issue affects and what is different, as one sentence. */

import { describeImpact, type ImpactPiece } from "../../../core/differences/describe-impact.ts";
import type { Comparison } from "../../../core/differences/find-differences.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { DeployMoment } from "../../../core/ports/source-maps-port.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { RelativeTime, SinceTime } from "../../parts/time.tsx";

const VALUE_CHARS = 60;

/** The sentence; nothing for an issue that only browsers linked. */
export function ImpactText({
  issue,
  comparison: { differences, usual } = { differences: [], usual: [] },
  deploys = [],
  nowMs,
}: {
  issue: Issue;
  /** Absent while it loads. */
  comparison?: Comparison;
  deploys?: readonly DeployMoment[];
  nowMs: number;
}) {
  const pieces = describeImpact(issue, { differences, usual, deploys, nowMs });
  if (pieces.length === 0) return null;
  return (
    <p className="impact">
      {pieces.map((piece, n) => (
        // The pieces have no ids, and their order never changes.
        <Piece key={n} piece={piece} nowMs={nowMs} />
      ))}
    </p>
  );
}

function Piece({ piece, nowMs }: { piece: ImpactPiece; nowMs: number }) {
  if ("atMs" in piece) {
    const Time = piece.kind === "clock" ? SinceTime : RelativeTime;
    return <Time atMs={piece.atMs} nowMs={nowMs} />;
  }
  const text =
    piece.kind === "value" ? <bdi>{abbreviate(piece.text, VALUE_CHARS)}</bdi> : piece.text;
  return piece.isStrong ? <b>{text}</b> : text;
}
