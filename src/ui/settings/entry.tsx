/** Lists of what a project or a person has: a name, what is to be known of it, and what can be done with it. */
import { Fragment, type ReactNode } from "react";

/** One of them; a list of them has the class `entries`. */
export function SettingsEntry({
  name,
  badge,
  facts,
  heading: Heading = "h3",
  children,
}: {
  readonly name: ReactNode;
  /** What should not be overlooked about it. */
  readonly badge?: ReactNode;
  readonly facts: readonly ReactNode[];
  /** As deep as the list is below the page's own. */
  readonly heading?: "h2" | "h3";
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

/** Facts in one line, with points between them; those that are nothing are left out. */
export function EntryFacts({ facts }: { readonly facts: readonly ReactNode[] }) {
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
