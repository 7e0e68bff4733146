/**
 * A stack trace: the frame that threw is open, other frames and runs of library frames are
 * collapsed.
 */
import { use } from "react";
import type { Frame } from "../../../core/report.ts";
import type { FrameAdvice } from "../../../core/symbolication/report/explain-frame.ts";
import type { FrameResolution } from "../../../core/symbolication/resolution.ts";
import { CachedParts } from "../../parts/cached-parts/cached-parts.tsx";
import { formatNumber } from "../../parts/number.tsx";
import { FrameRow, hasDetails } from "./frame-row.tsx";
import { type FrameGroup, groupFrames, listPackages } from "./frame-runs.ts";
import { type StackOptions, StackOptionsContext } from "./stack-options.ts";

/** A stack with only library frames is open if it has at most this many. */
const MAX_UNFOLDED_FRAMES = 12;

/** Further groups are collapsed. */
const MAX_SHOWN_GROUPS = 24;

/** A stack; `resolutions` belong to the frames of the same index. */
interface FramesProps {
  readonly frames: readonly Frame[];
  readonly resolutions?: readonly FrameResolution[];
  readonly advice?: readonly (readonly [index: number, advice: FrameAdvice])[];
}

/** The frames, most recent call first; nothing if there are none. */
export function Frames(props: FramesProps) {
  const options = use(StackOptionsContext);
  if (props.frames.length === 0) return null;
  const attributes = { className: "frames" };
  return (
    <CachedParts
      tag="ol"
      attributes={attributes}
      part={FrameItems}
      items={[{ ...props, options }]}
    />
  );
}

function FrameItems(props: FramesProps & { readonly options: StackOptions }) {
  const { frames, resolutions, advice, options } = props;
  const { isAllOpen } = options;
  const isOpen =
    isAllOpen || (frames.length <= MAX_UNFOLDED_FRAMES && !frames.some(({ inApp }) => inApp));
  const groups = groupFrames(frames);
  const hiddenGroups = groups.slice(MAX_SHOWN_GROUPS);
  const open = isAllOpen ? undefined : listOpenFrames(frames);
  const notes = { resolutions, advice: new Map(advice), open };
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
