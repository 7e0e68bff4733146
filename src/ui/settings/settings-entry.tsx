/** Entries of settings lists: a name, facts and forms. */
import { Fragment, type ReactNode } from "react";
import { RelativeTime } from "../parts/time.tsx";

/** One entry. The list around it has the class `entries`. */
export function SettingsEntry({
  name,
  badge,
  facts,
  heading: Heading = "h3",
  children,
}: {
  readonly name: ReactNode;
  /** Shown next to the name. */
  readonly badge?: ReactNode;
  readonly facts: readonly ReactNode[];
  /** The level of the heading. */
  readonly heading?: "h2" | "h3" | "h4";
  readonly children?: ReactNode;
}) {
  return (
    <li className="entry">
      <div className="entry-summary">
        <Heading>
          {name} {badge}
        </Heading>
        <EntryFacts facts={facts} />
      </div>
      {children}
    </li>
  );
}

/** Facts in one line, separated by dots; empty ones are omitted. */
function EntryFacts({ facts }: { facts: readonly ReactNode[] }) {
  const known = facts.filter((fact) => fact !== undefined && fact !== null && fact !== false);
  return (
    <p className="muted">
      {known.map((fact, n) => (
        <Fragment key={n}>
          {n > 0 && " · "}
          {fact}
        </Fragment>
      ))}
    </p>
  );
}

/** When, and by whom, an entry was created. `by` is empty if that is unknown. */
export function CreatedFact({ atMs, by, nowMs }: { atMs: number; by: string; nowMs: number }) {
  return (
    <>
      created <RelativeTime atMs={atMs} nowMs={nowMs} />
      {by !== "" && (
        <>
          {" "}
          by <bdi>{by}</bdi>
        </>
      )}
    </>
  );
}
