/** Lists of what a project or a person has: a name, what is to be known of it, and what can be done with it. */
import { Fragment, type ReactNode } from "react";

/** One of them; a list of them has the class `entries`. */
export function Entry({
  name,
  mark,
  facts,
  children,
}: {
  readonly name: ReactNode;
  /** What should not be overlooked about it. */
  readonly mark?: ReactNode;
  readonly facts: readonly ReactNode[];
  readonly children?: ReactNode;
}) {
  return (
    <li className="entry">
      <div className="entry-what">
        <h3>
          {name} {mark}
        </h3>
        <Facts of={facts} />
      </div>
      {children}
    </li>
  );
}

/** Facts in one line, with points between them; those that are nothing are left out. */
export function Facts({ of }: { readonly of: readonly ReactNode[] }) {
  const known = of.filter((fact) => fact !== undefined && fact !== null && fact !== false);
  return (
    <p className="aside">
      {known.map((fact, n) => (
        <Fragment key={n}>
          {n > 0 && " · "}
          {fact}
        </Fragment>
      ))}
    </p>
  );
}
