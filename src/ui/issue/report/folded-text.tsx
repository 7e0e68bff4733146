/** Preformatted text. Short text is open, long text is collapsed. */
import { formatNumber } from "../../parts/number.tsx";

const MAX_UNFOLDED_LINES = 14;

/** `text` unchanged. `label` names it in the summary: "Component stack". */
export function FoldedText({ text, label }: { text: string; label: string }) {
  const lines = text.split("\n").length;
  if (lines <= MAX_UNFOLDED_LINES) return <pre className="text">{text}</pre>;
  return (
    <details>
      <summary>
        {label}, {formatNumber(lines)} lines
      </summary>
      <pre className="text">{text}</pre>
    </details>
  );
}
