/** A stack in the original source if maps resolve it, and with advice if they do not. */

import { use } from "react";
import { getBasePathProject } from "../../../core/accounts/project-path.ts";
import type { Frame } from "../../../core/report.ts";
import { toCodeFrame } from "../../../core/repositories/code-frame.ts";
import type { EditorSetting } from "../../../core/repositories/editor-link.ts";
import { getRepositoryName } from "../../../core/repositories/repository-hosts.ts";
import {
  explainStack,
  type FrameAdvice,
} from "../../../core/symbolication/report/explain-frame.ts";
import { toOriginalFrame } from "../../../core/symbolication/report/original-stack.ts";
import type { NamedBuild } from "../../../core/symbolication/report/upload-command.ts";
import type { FrameResolution } from "../../../core/symbolication/resolution.ts";
import { CachedParts } from "../../parts/cached-parts/cached-parts.tsx";
import { useDesk } from "../../parts/desk-context.tsx";
import { formatNumber } from "../../parts/number.tsx";
import type { FrameCode } from "./frame-actions.tsx";
import { FrameRow, hasDetails } from "./frame-row.tsx";
import {
  CodeFinderContext,
  EditorContext,
  type StackOptions,
  StackOptionsContext,
} from "./stack-options.ts";

/** Further application frames have no lines of source: a recursion may have a hundred frames. */
const MAX_FRAMES_WITH_LINES = 20;

/** The frames as sent; `resolutions` is empty for a stack that is shown as it was sent. */
export function StackFrames({
  frames,
  resolutions,
  build,
}: {
  frames: readonly Frame[];
  resolutions: readonly FrameResolution[];
  build: NamedBuild;
}) {
  const project = getBasePathProject(useDesk().base);
  const codes = useCodes(frames, resolutions);
  if (resolutions.length === 0) return <Frames frames={frames} codes={codes} />;
  return (
    <Frames
      codes={codes}
      frames={limitLines(
        frames.map((frame, index) => toOriginalFrame(frame, resolutions[index])),
        resolutions,
      )}
      resolutions={resolutions}
      advice={[...explainStack(frames, resolutions, { ...build, project })]}
    />
  );
}

/** Where the code of each frame is, by their positions. */
function useCodes(frames: readonly Frame[], resolutions: readonly FrameResolution[]) {
  const finder = use(CodeFinderContext);
  if (finder === null) return [];
  return frames.flatMap((frame, index): FrameCodes => {
    const one = toCodeFrame(frame, resolutions[index]);
    const link = finder.findLink(one);
    const found = link === undefined ? finder.findPath(one) : undefined;
    if (found === undefined && link === undefined) return [];
    const repository = found?.repository && getRepositoryName(found.repository);
    const path = link?.path ?? found?.segments.join("/");
    return [[index, { link, path, repository: link?.repository ?? repository }]];
  });
}

/** Removes the lines of source of resolved library frames, except of the frame that threw. */
function limitLines(
  frames: readonly Frame[],
  resolutions: readonly FrameResolution[],
): readonly Frame[] {
  let shown = 0;
  return frames.map((frame, index) => {
    if (resolutions[index]?.kind !== "resolved" || frame.source === undefined) return frame;
    const hasLines = (frame.inApp || index === 0) && shown < MAX_FRAMES_WITH_LINES;
    if (hasLines) shown++;
    const { source: _, sourceBefore: _before, sourceAfter: _after, ...withoutLines } = frame;
    return hasLines ? frame : withoutLines;
  });
}

// A stack trace: the frame that threw is open, other frames and runs of library frames are
// collapsed.

/** A stack with only library frames is open if it has at most this many. */
const MAX_UNFOLDED_FRAMES = 12;

/** Further groups are collapsed. */
const MAX_SHOWN_GROUPS = 24;

type FrameCodes = readonly (readonly [index: number, code: FrameCode])[];

/** A stack; `resolutions` belong to the frames of the same index. */
interface FramesProps {
  readonly frames: readonly Frame[];
  readonly codes?: FrameCodes;
  readonly resolutions?: readonly FrameResolution[];
  readonly advice?: readonly (readonly [index: number, advice: FrameAdvice])[];
}

/** The frames, most recent call first; nothing if there are none. */
function Frames(props: FramesProps) {
  const options = use(StackOptionsContext);
  const editor = use(EditorContext);
  if (props.frames.length === 0) return null;
  const attributes = { className: "frames" };
  return (
    <CachedParts
      tag="ol"
      attributes={attributes}
      part={FrameItems}
      items={[{ ...props, options, editor }]}
    />
  );
}

interface FrameItemsProps extends FramesProps {
  readonly options: StackOptions;
  readonly editor: EditorSetting | null;
}

function FrameItems(props: FrameItemsProps) {
  const { frames, resolutions, advice, codes, options, editor } = props;
  const { isAllOpen } = options;
  const isOpen =
    isAllOpen || (frames.length <= MAX_UNFOLDED_FRAMES && !frames.some(({ inApp }) => inApp));
  const groups = groupFrames(frames);
  const hiddenGroups = groups.slice(MAX_SHOWN_GROUPS);
  const open = isAllOpen ? undefined : listOpenFrames(frames);
  const notes = { resolutions, advice: new Map(advice), codes: new Map(codes), open, editor };
  const hiddenCount = hiddenGroups.reduce((sum, group) => sum + group.frames.length, 0);
  return (
    <StackOptionsContext value={options}>
      <FrameGroups groups={groups.slice(0, MAX_SHOWN_GROUPS)} isOpen={isOpen} notes={notes} />
      {hiddenCount > 0 && (
        <li className="folded">
          <details open={isAllOpen}>
            <summary>{formatNumber(hiddenCount)} older frames</summary>
            <ol className="frames">
              <FrameGroups groups={hiddenGroups} isOpen={isOpen} notes={notes} />
            </ol>
          </details>
        </li>
      )}
    </StackOptionsContext>
  );
}

/** Notes about the frames of the stack, by index. */
interface FrameNotes {
  readonly resolutions: readonly FrameResolution[] | undefined;
  readonly advice: ReadonlyMap<number, FrameAdvice>;
  readonly codes: ReadonlyMap<number, FrameCode>;
  readonly editor: EditorSetting | null;
  /** Frames that show their source and variables; undefined for all. */
  readonly open: ReadonlySet<number> | undefined;
}

/** The frame that threw; if it is a library's, also the first one of the application. */
function listOpenFrames(frames: readonly Frame[]): ReadonlySet<number> {
  const own = frames.findIndex((frame) => frame.inApp && hasDetails(frame));
  return new Set(frames[0]?.inApp ? [0] : [0, own]);
}

function FrameGroups({
  groups,
  isOpen,
  notes,
}: {
  groups: readonly FrameGroup[];
  isOpen: boolean;
  notes: FrameNotes;
}) {
  return groups.map((group) =>
    group.isFolded ? (
      <FoldedFrameGroup key={group.firstIndex} group={group} isOpen={isOpen} notes={notes} />
    ) : (
      <GroupRows key={group.firstIndex} group={group} notes={notes} />
    ),
  );
}

function GroupRows({ group, notes }: { group: FrameGroup; notes: FrameNotes }) {
  return group.frames.map((frame, n) => {
    const index = group.firstIndex + n;
    return (
      <FrameRow
        key={index}
        frame={frame}
        isThrower={index === 0}
        isOpen={notes.open?.has(index) ?? true}
        resolution={notes.resolutions?.[index]}
        advice={notes.advice.get(index)}
        code={notes.codes.get(index)}
        editor={notes.editor}
      />
    );
  });
}

function FoldedFrameGroup({
  group,
  isOpen,
  notes,
}: {
  group: FrameGroup;
  isOpen: boolean;
  notes: FrameNotes;
}) {
  const packages = listPackages(group.frames).slice(0, 3).join(", ");
  return (
    <li className="folded">
      <details open={isOpen}>
        <summary>
          {formatNumber(group.frames.length)} library frames
          {packages !== "" && (
            <>
              {" "}
              <bdi>{packages}</bdi>
            </>
          )}
        </summary>
        <ol className="frames">
          <GroupRows group={group} notes={notes} />
        </ol>
      </details>
    </li>
  );
}

// Groups the frames of a stack for display: the frame that threw, runs of application frames, and
// runs of library frames to collapse. Pure; never drops or reorders a frame.

/** Consecutive frames shown together. `firstIndex` is the stack index of the first one. */
interface FrameGroup {
  readonly firstIndex: number;
  readonly frames: readonly Frame[];
  /** Two or more library frames. The frame that threw is never collapsed. */
  readonly isFolded: boolean;
}

/** The groups of `frames`. Concatenated, they are `frames`. */
export function groupFrames(frames: readonly Frame[]): readonly FrameGroup[] {
  const groups: FrameGroup[] = [];
  let first = 0;
  while (first < frames.length) {
    const end = findGroupEnd(frames, first);
    const group = frames.slice(first, end);
    groups.push({
      firstIndex: first,
      frames: group,
      isFolded: group.length > 1 && group[0]?.inApp === false,
    });
    first = end;
  }
  return groups;
}

/** The end (exclusive) of the group that begins at `first`. Frame 0 is a separate group. */
function findGroupEnd(frames: readonly Frame[], first: number): number {
  if (first === 0) return 1;
  const inApp = frames[first]?.inApp;
  let end = first + 1;
  while (end < frames.length && frames[end]?.inApp === inApp) end += 1;
  return end;
}

/** The distinct packages of `frames` in order: `["react-dom", "@hono/node"]`. */
export function listPackages(frames: readonly Frame[]): readonly string[] {
  const names = frames.map(({ file }) => parsePackage(file)).filter((name) => name !== undefined);
  return [...new Set(names)];
}

const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/;

/** The innermost package of a path; `node` for Node's built-in modules. */
function parsePackage(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  if (file.startsWith("node:")) return "node";
  return PACKAGE.exec(file)?.[1];
}
