/** Preformatted text of any length: short ones stand open, long ones wait behind their first line. */
import { figure } from "../figure.tsx";

const OPEN_LINES = 14;

/** `text` as it came. `what` names it in the summary: "component stack". */
export function FoldedText({ text, what }: { readonly text: string; readonly what: string }) {
  const lines = text.split("\n").length;
  if (lines <= OPEN_LINES) return <pre className="text">{text}</pre>;
  return (
    <details className="folded-text">
      <summary>
        {what}, {figure(lines)} lines
      </summary>
      <pre className="text">{text}</pre>
    </details>
  );
}
