/** Codes of other systems beside the digest: whoever holds one of them on a screenshot sees that this is the right place. */
import type { Issue } from "../../core/issue.ts";
import { figure } from "../figure.tsx";
import { A } from "../place.tsx";
import { CODES_ID } from "./issue-side.tsx";

const SHOWN_CODES = 3;

/** The newest codes, each selected whole by a click, and the way to the others; nothing where there are none. */
export function AlsoKnown({ issue: { aliases } }: { readonly issue: Issue }) {
  if (aliases.length === 0) return null;
  const others = aliases.length - SHOWN_CODES;
  return (
    <p className="also-known">
      <span>also</span>{" "}
      {aliases.slice(0, SHOWN_CODES).map((alias, index) => (
        <span key={alias}>
          {index > 0 && " "}
          <code dir="ltr">{alias}</code>
        </span>
      ))}
      {others > 0 && (
        <>
          {" "}
          <A href={`#${CODES_ID}`}>{figure(others)} more</A>
        </>
      )}
    </p>
  );
}
