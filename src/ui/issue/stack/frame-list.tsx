/** A stack trace: the application's frames with their source, runs of library frames collapsed. */
import type { Frame } from "../../../core/report.ts";
import { formatNumber } from "../../parts/number.tsx";
import { FrameRow } from "./frame-row.tsx";
import { type FrameGroup, groupFrames, listPackages } from "./frame-runs.ts";

/** A stack with only library frames is open if it has at most this many. */
const MAX_UNFOLDED_FRAMES = 12;

/** Further groups are collapsed. */
const MAX_SHOWN_GROUPS = 24;

/** The frames, most recent call first; nothing if there are none. */
export function Frames({ frames }: { readonly frames: readonly Frame[] }) {
  if (frames.length === 0) return null;
  const isOpen = frames.length <= MAX_UNFOLDED_FRAMES && !frames.some(({ inApp }) => inApp);
  const groups = groupFrames(frames);
  const hiddenGroups = groups.slice(MAX_SHOWN_GROUPS);
  const hiddenCount = hiddenGroups.reduce((sum, group) => sum + group.frames.length, 0);
  return (
    <ol className="frames">
      <FrameGroups groups={groups.slice(0, MAX_SHOWN_GROUPS)} isOpen={isOpen} />
      {hiddenCount > 0 && (
        <li className="folded">
          <details>
            <summary>{formatNumber(hiddenCount)} older frames</summary>
            <ol className="frames">
              <FrameGroups groups={hiddenGroups} isOpen={isOpen} />
            </ol>
          </details>
        </li>
      )}
    </ol>
  );
}

function FrameGroups({ groups, isOpen }: { groups: readonly FrameGroup[]; isOpen: boolean }) {
  return groups.map((group) =>
    group.isFolded ? (
      <FoldedFrameGroup key={group.firstIndex} group={group} isOpen={isOpen} />
    ) : (
      group.frames.map((frame, index) => (
        <FrameRow
          key={group.firstIndex + index}
          frame={frame}
          isThrower={group.firstIndex + index === 0}
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
