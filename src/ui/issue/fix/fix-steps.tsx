/** The life of a fix as steps: proposed, merged, deployed, proven; and what each of them is. */
import { formatProof } from "../../../core/issue/fix-proof.ts";
import type { FixState, FixStatus } from "../../../core/issue/fix-status.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { safeHref } from "../../parts/safe-href.ts";
import { RelativeTime } from "../../parts/time.tsx";

const STEPS = [
  ["proposed", "Proposed"],
  ["merged", "Merged"],
  ["deployed", "Deployed"],
  ["proven", "Proven"],
] as const satisfies readonly (readonly [state: FixState, label: string])[];

const MAX_TITLE_CHARS = 80;
const MAX_NAME_CHARS = 80;
const SHORT_COMMIT_CHARS = 10;

/** The steps, and the facts below them; nothing if nobody has begun a fix. */
export function FixSteps({ fix, nowMs }: { fix: FixStatus; nowMs: number }) {
  const { state, cameBackMs, handOff, proof } = fix;
  if (state === "none" && handOff === undefined) return null;
  const current = STEPS.findIndex(([step]) => step === state);
  return (
    <section className="fix" aria-labelledby="fix-heading">
      <h2 id="fix-heading" className="visually-hidden">
        Fix
      </h2>
      {state !== "none" && state !== "came-back" && (
        <ol className="steps">
          {STEPS.map(([step, label], n) => (
            <li
              key={step}
              data-reached={n <= current ? "" : undefined}
              aria-current={n === current ? "step" : undefined}
            >
              {label}
            </li>
          ))}
        </ol>
      )}
      <p className="muted">
        {(state === "came-back" || cameBackMs !== undefined) && (
          <>
            <b>Came back</b> <RelativeTime atMs={cameBackMs ?? nowMs} nowMs={nowMs} />: the last fix
            did not hold.{" "}
          </>
        )}
        {handOff !== undefined && (
          <>
            Handed off to <bdi>{abbreviate(handOff.name, MAX_NAME_CHARS)}</bdi>{" "}
            <RelativeTime atMs={handOff.atMs} nowMs={nowMs} />.{" "}
          </>
        )}
        <Change fix={fix} nowMs={nowMs} />
        {proof !== undefined && <bdi> {formatProof(proof)}.</bdi>}
      </p>
    </section>
  );
}

/** The change and who made it; the release with it. */
function Change({ fix, nowMs }: { fix: FixStatus; nowMs: number }) {
  const { change, release, deployedMs, mergedMs, proposedMs } = fix;
  const atMs = mergedMs ?? proposedMs;
  return (
    <>
      {change !== undefined && (
        <>
          {mergedMs === undefined ? "Proposed" : "Merged"}: <ChangeLink change={change} />
          {change.author !== undefined && (
            <>
              {" "}
              by <bdi>{abbreviate(change.author, MAX_NAME_CHARS)}</bdi>
            </>
          )}
          {atMs !== undefined && (
            <>
              {" "}
              <RelativeTime atMs={atMs} nowMs={nowMs} />
            </>
          )}
          .{" "}
        </>
      )}
      {release !== undefined && (
        <>
          {deployedMs === undefined ? "To be released in" : "Released in"}{" "}
          <bdi>{abbreviate(release, MAX_NAME_CHARS)}</bdi>
          {deployedMs !== undefined && (
            <>
              {" "}
              <RelativeTime atMs={deployedMs} nowMs={nowMs} />
            </>
          )}
          .
        </>
      )}
    </>
  );
}

/** The title of a change, or its address, as a link if it is one. */
export function ChangeLink({
  change: { url, title, commit },
}: {
  change: NonNullable<FixStatus["change"]>;
}) {
  const href = safeHref(url);
  const text = title ?? (url === undefined ? undefined : url.replace(/^https?:\/\//, ""));
  const shown = text ?? commit?.slice(0, SHORT_COMMIT_CHARS) ?? "a change";
  const label = <bdi>{abbreviate(shown, MAX_TITLE_CHARS)}</bdi>;
  return href === undefined ? (
    label
  ) : (
    <a href={href} rel="noreferrer noopener">
      {label}
    </a>
  );
}
