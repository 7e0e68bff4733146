/** One stack frame: its function, its location, and the source around it if the report has it. */
import { listVars } from "../../../core/report/contexts.ts";
import type { Frame } from "../../../core/report.ts";
import { PairTable } from "../../parts/pair-table.tsx";
import { toSourceLines } from "./source-lines.ts";

/** The frame as a list item. `isThrower` marks the frame that threw. */
export function FrameRow({
  frame,
  isThrower,
}: {
  readonly frame: Frame;
  readonly isThrower: boolean;
}) {
  return (
    <li
      className="frame"
      data-in-app={frame.inApp ? "" : undefined}
      data-throwing={isThrower ? "" : undefined}
    >
      <p>
        <bdi className="function">{frame.function ?? "(anonymous)"}</bdi>{" "}
        <FrameLocation frame={frame} />
        {isThrower && <span className="throwing"> threw</span>}
        {frame.inApp && <span className="visually-hidden">, your code</span>}
      </p>
      <SourceContext frame={frame} />
      <LocalVariables frame={frame} />
    </li>
  );
}

/** `src/pages/cart.tsx:12:5`, with the file name in bold. */
function FrameLocation({ frame }: { frame: Frame }) {
  if (frame.file === undefined) return null;
  const nameAt = frame.file.lastIndexOf("/") + 1;
  const position = [frame.line, frame.column].filter((part) => part !== undefined).join(":");
  return (
    <span className="location">
      <bdi>
        {frame.file.slice(0, nameAt)}
        <b>{frame.file.slice(nameAt)}</b>
      </bdi>
      {position !== "" && `:${position}`}
    </span>
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

function SourceContext({ frame }: { frame: Frame }) {
  const lines = toSourceLines(frame);
  if (lines.length === 0) return null;
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
