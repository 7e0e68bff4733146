/** One frame: its function, its place, and the lines of source around it where the sender knew them. */
import type { Frame } from "../../core/report.ts";
import { sourceLines } from "./source-lines.ts";

/** The frame as a list item; `threw` marks the newest one. */
export function FrameRow({ frame, threw }: { readonly frame: Frame; readonly threw: boolean }) {
  return (
    <li
      className="frame"
      data-app={frame.inApp ? "" : undefined}
      data-threw={threw ? "" : undefined}
    >
      <p>
        <bdi className="function">{frame.function ?? "(anonymous)"}</bdi>{" "}
        <FramePlace frame={frame} />
        {threw && <span className="threw"> threw</span>}
        {frame.inApp && <span className="unseen">, your code</span>}
      </p>
      <Source frame={frame} />
    </li>
  );
}

/** `src/pages/cart.tsx:12:5`, the file's own name set apart from its folders. */
function FramePlace({ frame }: { frame: Frame }) {
  if (frame.file === undefined) return null;
  const nameAt = frame.file.lastIndexOf("/") + 1;
  const position = [frame.line, frame.column].filter((part) => part !== undefined).join(":");
  return (
    <span className="at">
      <bdi>
        {frame.file.slice(0, nameAt)}
        <b>{frame.file.slice(nameAt)}</b>
      </bdi>
      {position !== "" && `:${position}`}
    </span>
  );
}

function Source({ frame }: { frame: Frame }) {
  const lines = sourceLines(frame);
  if (lines.length === 0) return null;
  return (
    <ol
      className="source"
      start={lines[0]?.number}
      data-unnumbered={lines[0]?.number === undefined ? "" : undefined}
    >
      {lines.map((line, index) => (
        <li key={index} data-threw={line.threw ? "" : undefined}>
          <code>{line.text}</code>
        </li>
      ))}
    </ol>
  );
}
