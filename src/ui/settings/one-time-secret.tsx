/** What is shown once: it is kept as a hash alone, so nobody can show it again. */
import type { ReactNode } from "react";
import { CopyButton } from "../parts/copy-button.tsx";

/** What was made just now and is shown once: an invitation's code, or a token. */
export interface IssuedSecrets {
  readonly action: string;
  readonly secrets: readonly string[];
}

/** What was made, to be copied now. `says` is what it is for. */
export function OneTimeSecret({
  name,
  hint,
  text,
  copyLabel,
  children,
}: {
  readonly name: string;
  readonly hint: ReactNode;
  readonly text: string;
  /** What the button copies, for a screen reader. */
  readonly copyLabel: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="one-time-secret">
      <h3>{name}</h3>
      <p>{hint}</p>
      <CopyLine text={text} copyLabel={copyLabel} />
      {children}
    </div>
  );
}

/** A text that is copied rather than read, in one line with its button. */
export function CopyLine({
  text,
  copyLabel,
}: {
  readonly text: string;
  readonly copyLabel: string;
}) {
  return (
    <div className="copy-line">
      <code>{text}</code>
      <span>
        <CopyButton text={text} label={copyLabel} />
      </span>
    </div>
  );
}
