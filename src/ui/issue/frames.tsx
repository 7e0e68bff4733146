/** A stack: the application's frames in full with their source, runs of library frames folded to one line each. */
import type { Frame } from "../../core/report.ts";
import { figure } from "../figure.tsx";
import { FrameRow } from "./frame-row.tsx";
import { type FrameRun, frameRuns, packagesOf } from "./frame-runs.ts";

/** A stack without a single frame of the application is shown open when it has at most so many. */
const OPEN_FRAMES = 12;

/** More runs than this wait behind a summary: nobody reads them before the ones above. */
const SHOWN_RUNS = 24;

/** The frames as a list, newest first; nothing when there are none. */
export function Frames({ frames }: { readonly frames: readonly Frame[] }) {
  if (frames.length === 0) return null;
  const open = frames.length <= OPEN_FRAMES && !frames.some(({ inApp }) => inApp);
  const runs = frameRuns(frames);
  const rest = runs.slice(SHOWN_RUNS);
  const hidden = rest.reduce((sum, run) => sum + run.frames.length, 0);
  return (
    <ol className="frames">
      <Runs runs={runs.slice(0, SHOWN_RUNS)} open={open} />
      {hidden > 0 && (
        <li className="folded">
          <details>
            <summary>{figure(hidden)} older frames</summary>
            <ol className="frames">
              <Runs runs={rest} open={open} />
            </ol>
          </details>
        </li>
      )}
    </ol>
  );
}

function Runs({ runs, open }: { runs: readonly FrameRun[]; open: boolean }) {
  return runs.map((run) =>
    run.folded ? (
      <FoldedRun key={run.first} run={run} open={open} />
    ) : (
      run.frames.map((frame, index) => (
        <FrameRow key={run.first + index} frame={frame} threw={run.first + index === 0} />
      ))
    ),
  );
}

function FoldedRun({ run, open }: { run: FrameRun; open: boolean }) {
  const packages = packagesOf(run.frames).slice(0, 3).join(", ");
  return (
    <li className="folded">
      <details open={open}>
        <summary>
          {figure(run.frames.length)} library frames
          {packages !== "" && (
            <>
              {" "}
              <bdi>{packages}</bdi>
            </>
          )}
        </summary>
        <ol className="frames">
          {run.frames.map((frame, index) => (
            <FrameRow key={run.first + index} frame={frame} threw={false} />
          ))}
        </ol>
      </details>
    </li>
  );
}
