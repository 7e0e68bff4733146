/** One stack frame: its function, its location, and the source around it if the report has it. */
import { listVars } from "../../../core/report/contexts.ts";
import type { Frame } from "../../../core/report.ts";
import type { FrameAdvice } from "../../../core/symbolication/report/explain-frame.ts";
import type { FrameResolution } from "../../../core/symbolication/resolution.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { PairTable } from "../../parts/pair-table.tsx";
import { FrameAdviceText } from "./frame-advice.tsx";
import { toSourceLines } from "./source-lines.ts";

const DIST_CHARS = 40;

/** The frame as a list item. `isThrower` marks the frame that threw. */
export function FrameRow({
  frame,
  isThrower,
  isOpen,
  resolution,
  advice,
}: {
  readonly frame: Frame;
  readonly isThrower: boolean;
  /** The lines around the frame's own are shown. */
  readonly isOpen: boolean;
  /** How a source map resolved the frame. */
  readonly resolution?: FrameResolution | undefined;
  readonly advice?: FrameAdvice | undefined;
}) {
  return (
    <li
      className="frame"
      data-in-app={frame.inApp ? "" : undefined}
      data-throwing={isThrower ? "" : undefined}
    >
      <p>
        <bdi className="function">{frame.function ?? "(anonymous)"}</bdi>{" "}
        <FrameLocation frame={frame} resolution={resolution} />
        <MatchMark resolution={resolution} />
        {isThrower && <span className="throwing"> threw</span>}
        {frame.inApp && <span className="visually-hidden">, your code</span>}
      </p>
      {advice !== undefined && <FrameAdviceText advice={advice} />}
      <SourceContext frame={frame} isOpen={isOpen} />
      <LocalVariables frame={frame} />
    </li>
  );
}

/** `src/pages/cart.tsx:12:5`, with the file name in bold. Its tooltip is the source in the map. */
function FrameLocation({
  frame,
  resolution,
}: {
  frame: Frame;
  resolution: FrameResolution | undefined;
}) {
  if (frame.file === undefined) return null;
  const nameAt = frame.file.lastIndexOf("/") + 1;
  const position = [frame.line, frame.column].filter((part) => part !== undefined).join(":");
  return (
    <span
      className="location"
      title={resolution?.kind === "resolved" ? resolution.mapSource : undefined}
    >
      <bdi>
        {frame.file.slice(0, nameAt)}
        <b>{frame.file.slice(nameAt)}</b>
      </bdi>
      {position !== "" && `:${position}`}
    </span>
  );
}

/** Marks a frame whose map may be the wrong one. */
function MatchMark({ resolution }: { resolution: FrameResolution | undefined }) {
  if (resolution?.kind !== "resolved") return null;
  const { matchedBy, otherDist } = resolution;
  return (
    <>
      {matchedBy === "name" && (
        <span className="match-mark" title="Only one upload has a file of this name.">
          {" "}
          matched by file name
        </span>
      )}
      {otherDist !== undefined && (
        <span className="match-mark" title="The report names another dist.">
          {" "}
          uploaded for dist <bdi>{abbreviate(otherDist, DIST_CHARS)}</bdi>
        </span>
      )}
    </>
  );
}

function LocalVariables({ frame }: { frame: Frame }) {
  const vars = listVars(frame);
  if (vars.length === 0) return null;
  return (
    <details>
      <summary>{vars.length === 1 ? "1 local variable" : `${vars.length} local variables`}</summary>
      <PairTable pairs={vars} />
    </details>
  );
}

function SourceContext({ frame, isOpen }: { frame: Frame; isOpen: boolean }) {
  const lines = toSourceLines(frame);
  if (lines.length === 0) return null;
  if (isOpen) return <SourceLines lines={lines} />;
  return (
    <details className="more-source">
      <summary>
        <code>{lines.find(({ isThrowing }) => isThrowing)?.text.trim()}</code>
      </summary>
      <SourceLines lines={lines} />
    </details>
  );
}

function SourceLines({ lines }: { lines: ReturnType<typeof toSourceLines> }) {
  return (
    <ol
      className="source"
      start={lines[0]?.number}
      data-unnumbered={lines[0]?.number === undefined ? "" : undefined}
    >
      {lines.map((line, index) => (
        <li key={index} data-throwing={line.isThrowing ? "" : undefined}>
          <code>{line.text}</code>
        </li>
      ))}
    </ol>
  );
}
