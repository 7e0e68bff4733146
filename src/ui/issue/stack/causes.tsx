/** The chain of causes of an error, outermost first, each with its stack. */
import type { Cause } from "../../../core/report.ts";
import { abbreviate, FullText } from "../../parts/long-text.tsx";
import { Frames } from "./frame-list.tsx";

const MESSAGE_CHARS = 400;

/** The causes; nothing if there are none. */
export function Causes({ causes }: { readonly causes: readonly Cause[] | undefined }) {
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
          <Frames frames={cause.frames} />
        </div>
      ))}
    </section>
  );
}
