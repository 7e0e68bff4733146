/** Facts with their names, as a definition list: what a form would have asked for, answered. */
import type { ReactNode } from "react";

/** A name and its value; a value that is undefined or null is left out with its name. */
type Fact = readonly [name: string, value: ReactNode];

/**
 * The facts that have a value, in their order; `look` chooses figures in a row or lines under each
 * other.
 */
export function FactList({
  facts,
  variant,
}: {
  readonly facts: readonly Fact[];
  readonly variant: "grid" | "list";
}) {
  const known = facts.filter(
    ([, value]) => value !== undefined && value !== null && value !== false,
  );
  if (known.length === 0) return null;
  return (
    <dl className={variant === "grid" ? "stat-grid" : "fact-lines"}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
