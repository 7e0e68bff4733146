/** The codes of other systems for this issue, next to its digest. */
import type { Issue } from "../../../core/issue/issue.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { formatNumber } from "../../parts/number.tsx";
import { ALIASES_ID } from "./sidebar.tsx";

const MAX_SHOWN = 3;

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
