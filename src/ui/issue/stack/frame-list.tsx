/** A stack: the application's frames in full with their source, runs of library frames folded to one line each. */
import type { Frame } from "../../../core/report.ts";
import { formatNumber } from "../../parts/number.tsx";
import { FrameRow } from "./frame-row.tsx";
import { type FrameGroup, groupFrames, listPackages } from "./frame-runs.ts";

/** A stack without a single frame of the application is shown open when it has at most so many. */
const MAX_UNFOLDED_FRAMES = 12;

/** More runs than this wait behind a summary: nobody reads them before the ones above. */
const MAX_SHOWN_GROUPS = 24;

/** The frames as a list, newest first; nothing when there are none. */
export function Frames({ frames }: { readonly frames: readonly Frame[] }) {
  if (frames.length === 0) return null;
  const open = frames.length <= MAX_UNFOLDED_FRAMES && !frames.some(({ inApp }) => inApp);
  const groups = groupFrames(frames);
  const hiddenGroups = groups.slice(MAX_SHOWN_GROUPS);
  const hiddenCount = hiddenGroups.reduce((sum, run) => sum + run.frames.length, 0);
  return (
    <ol className="frames">
      <FrameGroups groups={groups.slice(0, MAX_SHOWN_GROUPS)} isOpen={open} />
      {hiddenCount > 0 && (
        <li className="folded">
          <details>
            <summary>{formatNumber(hiddenCount)} older frames</summary>
            <ol className="frames">
              <FrameGroups groups={hiddenGroups} isOpen={open} />
            </ol>
          </details>
        </li>
      )}
    </ol>
  );
}

function FrameGroups({ groups, isOpen }: { groups: readonly FrameGroup[]; isOpen: boolean }) {
  return groups.map((run) =>
    run.isFolded ? (
      <FoldedFrameGroup key={run.firstIndex} group={run} isOpen={isOpen} />
    ) : (
      run.frames.map((frame, index) => (
        <FrameRow
          key={run.firstIndex + index}
          frame={frame}
          isThrower={run.firstIndex + index === 0}
        />
      ))
    ),
  );
}

function FoldedFrameGroup({ group, isOpen }: { group: FrameGroup; isOpen: boolean }) {
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
          {group.frames.map((frame, index) => (
            <FrameRow key={group.firstIndex + index} frame={frame} isThrower={false} />
          ))}
        </ol>
      </details>
    </li>
  );
}
