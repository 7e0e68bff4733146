/** The chain of causes of an error, outermost first, each with its stack. */
import type { Cause } from "../../../core/report.ts";
import type { StackResolutions } from "../../../core/symbolication/report/original-stack.ts";
import type { NamedBuild } from "../../../core/symbolication/report/upload-command.ts";
import { abbreviate, FullText } from "../../parts/long-text.tsx";
import { StackFrames } from "./original-frames.tsx";

const MESSAGE_CHARS = 400;

/** The causes; nothing if there are none. `resolutions` has a stack for each cause, or is empty. */
export function Causes({
  causes,
  resolutions,
  build,
}: {
  causes: readonly Cause[] | undefined;
  resolutions: StackResolutions;
  build: NamedBuild;
}) {
  if (causes === undefined || causes.length === 0) return null;
  return (
    <section className="causes">
      <h3>{causes.length === 1 ? "Caused by" : `Caused by (${causes.length} levels)`}</h3>
      {causes.map((cause, index) => (
        <div className="cause" key={index}>
          <h4>
            <bdi className="type">{cause.type}</bdi>{" "}
            <span dir="auto">{abbreviate(cause.message, MESSAGE_CHARS)}</span>
          </h4>
          <FullText text={cause.message} maxChars={MESSAGE_CHARS} />
          <StackFrames frames={cause.frames} resolutions={resolutions[index] ?? []} build={build} />
        </div>
      ))}
    </section>
  );
}
