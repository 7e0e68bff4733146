/** A stack trace: the application's frames with their source, runs of library frames collapsed. */
import type { Frame } from "../../../core/report.ts";
import type { FrameAdvice } from "../../../core/symbolication/report/explain-frame.ts";
import type { FrameResolution } from "../../../core/symbolication/resolution.ts";
import { formatNumber } from "../../parts/number.tsx";
import { FrameRow } from "./frame-row.tsx";
import { type FrameGroup, groupFrames, listPackages } from "./frame-runs.ts";

/** A stack with only library frames is open if it has at most this many. */
const MAX_UNFOLDED_FRAMES = 12;

/** Further frames show their own line only. */
const MAX_OPEN_SOURCES = 3;

/** Further groups are collapsed. */
const MAX_SHOWN_GROUPS = 24;

/** A stack; `resolutions` and `advice` belong to the frames of the same index. */
interface FramesProps {
  readonly frames: readonly Frame[];
  readonly resolutions?: readonly FrameResolution[];
  readonly advice?: ReadonlyMap<number, FrameAdvice>;
}

/** The frames, most recent call first; nothing if there are none. */
export function Frames({ frames, resolutions, advice }: FramesProps) {
  if (frames.length === 0) return null;
  const isOpen = frames.length <= MAX_UNFOLDED_FRAMES && !frames.some(({ inApp }) => inApp);
  const groups = groupFrames(frames);
  const hiddenGroups = groups.slice(MAX_SHOWN_GROUPS);
  const notes = { resolutions, advice, open: listOpenFrames(frames) };
  const hiddenCount = hiddenGroups.reduce((sum, group) => sum + group.frames.length, 0);
  return (
    <ol className="frames">
      <FrameGroups groups={groups.slice(0, MAX_SHOWN_GROUPS)} isOpen={isOpen} notes={notes} />
      {hiddenCount > 0 && (
        <li className="folded">
          <details>
            <summary>{formatNumber(hiddenCount)} older frames</summary>
            <ol className="frames">
              <FrameGroups groups={hiddenGroups} isOpen={isOpen} notes={notes} />
            </ol>
          </details>
        </li>
      )}
    </ol>
  );
}

/** Notes about the frames of the stack, by index. */
interface FrameNotes {
  readonly resolutions: readonly FrameResolution[] | undefined;
  readonly advice: ReadonlyMap<number, FrameAdvice> | undefined;
  /** Frames whose lines of source are open. */
  readonly open: ReadonlySet<number>;
}

/** The frame that threw, and the first ones of the application. */
function listOpenFrames(frames: readonly Frame[]): ReadonlySet<number> {
  const withSource = [...frames.entries()].filter(
    ([index, { inApp, source }]) => source !== undefined && (inApp || index === 0),
  );
  return new Set(withSource.slice(0, MAX_OPEN_SOURCES).map(([index]) => index));
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
        isOpen={notes.open.has(index)}
        resolution={notes.resolutions?.[index]}
        advice={notes.advice?.get(index)}
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
