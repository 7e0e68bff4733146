/** The codes of other systems for this issue: next to its digest, and all of them. */
import type { Issue } from "../../../core/issue/issue.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { formatNumber } from "../../parts/number.tsx";

const MAX_SHOWN = 3;
const ALIASES_ID = "aliases";

/** The newest codes and a link to the others. A click selects a whole code. */
export function Aliases({ issue: { aliases } }: { issue: Issue }) {
  if (aliases.length === 0) return null;
  const others = aliases.length - MAX_SHOWN;
  return (
    <p className="aliases-line">
      <span>also</span>{" "}
      {aliases.slice(0, MAX_SHOWN).map((alias, index) => (
        <span key={alias}>
          {index > 0 && " "}
          <code dir="ltr">{alias}</code>
        </span>
      ))}
      {others > 0 && (
        <>
          {" "}
          <DeskLink href={`#${ALIASES_ID}`}>{formatNumber(others)} more</DeskLink>
        </>
      )}
    </p>
  );
}

/** All codes; nothing if the line next to the digest has all of them. */
export function AllAliases({ issue: { aliases } }: { issue: Issue }) {
  if (aliases.length === 0) return null;
  return (
    <section id={ALIASES_ID}>
      <div className="section-head">
        <h2>Also known as</h2>
      </div>
      <ul className="aliases">
        {aliases.map((alias) => (
          <li key={alias}>
            <code dir="ltr">{alias}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
