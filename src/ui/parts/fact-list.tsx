/** Facts with their names, as a definition list. */
import type { ReactNode } from "react";

/** A name and its value; both are omitted if the value is undefined, null or false. */
type Fact = readonly [name: string, value: ReactNode];

/**
 * The facts that have a value, in their order. `variant` is the layout: figures in a row, or one
 * line for each fact.
 */
export function FactList({ facts, variant }: { facts: readonly Fact[]; variant: "grid" | "list" }) {
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
