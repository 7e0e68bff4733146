/** One stack frame: its function and location, and if the report has them, source and variables. */
import { use } from "react";
import { findLanguage } from "../../../core/code/language.ts";
import { type Token, tokenize } from "../../../core/code/tokenize.ts";
import { listVars } from "../../../core/report/contexts.ts";
import { describeFrame } from "../../../core/report/frame-place.ts";
import type { Frame } from "../../../core/report.ts";
import type { EditorSetting } from "../../../core/repositories/editor-link.ts";
import { describeMatch } from "../../../core/symbolication/report/describe-match.ts";
import type { FrameAdvice } from "../../../core/symbolication/report/explain-frame.ts";
import type { FrameResolution } from "../../../core/symbolication/resolution.ts";
import { CodeTokens } from "../../parts/code/code-tokens.tsx";
import { PairTable } from "../../parts/pair-table.tsx";
import { FrameActions, type FrameCode } from "./frame-actions.tsx";
import { FrameAdviceText } from "./frame-advice.tsx";
import { StackOptionsContext } from "./stack-options.ts";

/** Further variables are collapsed. */
const MAX_SHOWN_VARIABLES = 6;

/** A frame and its details. */
interface FrameRowProps {
  readonly frame: Frame;
  /** Marks the frame that threw. */
  readonly isThrower: boolean;
  /** True if source and variables are shown. */
  readonly isOpen: boolean;
  /** How a source map resolved the frame. */
  readonly resolution?: FrameResolution | undefined;
  readonly advice?: FrameAdvice | undefined;
  /** Where its code is; absent for a library. */
  readonly code?: FrameCode | undefined;
  readonly editor?: EditorSetting | null | undefined;
}

/** The frame as a list item: one line that opens if the report has source or variables. */
export function FrameRow(props: FrameRowProps) {
  const { frame, isThrower, isOpen, advice, code, editor = null } = props;
  return (
    <li
      className="frame"
      data-in-app={frame.inApp ? "" : undefined}
      data-throwing={isThrower ? "" : undefined}
    >
      {hasDetails(frame) ? (
        <details open={isOpen}>
          <summary>
            <FrameTitle {...props} />
          </summary>
          <SourceContext frame={frame} />
          <LocalVariables frame={frame} />
        </details>
      ) : (
        <p>
          <FrameTitle {...props} />
        </p>
      )}
      {frame.inApp && (
        <FrameActions
          {...code}
          place={describeFrame(frame).place}
          line={frame.line}
          column={frame.column}
          editor={editor}
        />
      )}
      {advice !== undefined && <FrameAdviceText advice={advice} />}
    </li>
  );
}

/** True if a frame has more than its line. */
export function hasDetails(frame: Frame): boolean {
  return frame.source !== undefined || listVars(frame).length > 0;
}

function FrameTitle({ frame, isThrower, resolution }: FrameRowProps) {
  const { throwingText } = use(StackOptionsContext);
  const { name, module, place } = describeFrame(frame);
  return (
    <>
      <bdi className="function" title={frame.rawFunction}>
        {name}
      </bdi>{" "}
      {module !== undefined && (
        <>
          <bdi className="location">{module}</bdi>{" "}
        </>
      )}
      <FrameLocation frame={frame} place={place} resolution={resolution} />
      <MatchMark resolution={resolution} />
      {isThrower && <span className="throwing"> {throwingText}</span>}
      {frame.inApp && <span className="visually-hidden">, your code</span>}
    </>
  );
}

/**
 * `src/pages/cart.tsx:12:5`, with the file name in bold. Its tooltip is the source in the map, else
 * the absolute path.
 */
function FrameLocation({
  frame,
  place,
  resolution,
}: {
  frame: Frame;
  place: string | undefined;
  resolution: FrameResolution | undefined;
}) {
  if (place === undefined) return null;
  const nameAt = place.lastIndexOf("/") + 1;
  const position = [frame.line, frame.column].filter((part) => part !== undefined).join(":");
  return (
    <span
      className="location"
      title={resolution?.kind === "resolved" ? resolution.mapSource : frame.absPath}
    >
      <bdi>
        {place.slice(0, nameAt)}
        <b>{place.slice(nameAt)}</b>
      </bdi>
      {position !== "" && `:${position}`}
      {frame.function !== undefined && frame.address !== undefined && ` ${frame.address}`}
    </span>
  );
}

/** States how the map was found, if not by a debug id: it may be the one of another build. */
function MatchMark({ resolution }: { resolution: FrameResolution | undefined }) {
  const text = describeMatch(resolution);
  if (text === undefined) return null;
  return (
    <span className="match-mark">
      {" "}
      <bdi>{text}</bdi>
    </span>
  );
}

function LocalVariables({ frame }: { frame: Frame }) {
  const vars = listVars(frame);
  if (vars.length === 0) return null;
  return (
    <div className="frame-variables">
      <h4>{vars.length === 1 ? "Local variable" : "Local variables"}</h4>
      <PairTable pairs={vars.slice(0, MAX_SHOWN_VARIABLES)} />
      {vars.length > MAX_SHOWN_VARIABLES && (
        <details>
          <summary>{vars.length - MAX_SHOWN_VARIABLES} more</summary>
          <PairTable pairs={vars.slice(MAX_SHOWN_VARIABLES)} />
        </details>
      )}
    </div>
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
          <code>
            <CodeTokens tokens={line.tokens} />
          </code>
        </li>
      ))}
    </ol>
  );
}

// The source lines around the one that threw. Long lines are truncated around the column, because a
// minified line may have 2,000 characters. Pure.

const LINE_CHARS = 320;
const BEFORE_COLUMN_CHARS = 120;
const ELLIPSIS = "…";

/** One line of source in tokens. `number` is 1-based, absent if the report has none. */
interface SourceLine {
  readonly number?: number;
  readonly tokens: readonly Token[];
  readonly isThrowing: boolean;
}

/** The frame's lines in order; empty if the report has no source. */
export function toSourceLines(frame: Frame): readonly SourceLine[] {
  if (frame.source === undefined) return [];
  const before = frame.sourceBefore ?? [];
  const firstNumber = frame.line === undefined ? undefined : frame.line - before.length;
  const texts = [
    ...before.map((text) => truncateLine(text, 1)),
    truncateLine(frame.source, frame.column ?? 1),
    ...(frame.sourceAfter ?? []).map((text) => truncateLine(text, 1)),
  ];
  return tokenize(texts, findLanguage(frame.file)).map((tokens, index) => ({
    number: firstNumber === undefined ? undefined : firstNumber + index,
    tokens,
    isThrowing: index === before.length,
  }));
}

/** `text` if short, otherwise the part around `column` (1-based), with ellipses at the cuts. */
function truncateLine(text: string, column: number): string {
  if (text.length <= LINE_CHARS) return text;
  const latestStart = text.length - LINE_CHARS;
  const start = Math.min(latestStart, Math.max(0, column - BEFORE_COLUMN_CHARS));
  const end = start + LINE_CHARS;
  return (start > 0 ? ELLIPSIS : "") + text.slice(start, end) + (end < text.length ? ELLIPSIS : "");
}
