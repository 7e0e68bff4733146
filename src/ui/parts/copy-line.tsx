/** A line to copy. */
import { CopyButton } from "./copy-button.tsx";

/** A text in one line with a copy button. */
export function CopyLine({ text, copyLabel }: { text: string; copyLabel: string }) {
  return (
    <div className="copy-line">
      <code>{text}</code>
      <span>
        <CopyButton text={text} label={copyLabel} />
      </span>
    </div>
  );
}
