/** What is shown once: it is kept as a hash alone, so nobody can show it again. */
import type { ReactNode } from "react";
import { CopyButton } from "../copy-button.tsx";

/** What was made just now and is shown once: an invitation's code, or a token. */
export interface Shown {
  readonly asked: string;
  readonly secrets: readonly string[];
}

/** What was made, to be copied now. `says` is what it is for. */
export function Once({
  name,
  says,
  text,
  what,
  children,
}: {
  readonly name: string;
  readonly says: ReactNode;
  readonly text: string;
  /** What the button copies, for a screen reader. */
  readonly what: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="once">
      <h3>{name}</h3>
      <p>{says}</p>
      <CopyLine text={text} what={what} />
      {children}
    </div>
  );
}

/** A text that is copied rather than read, in one line with its button. */
export function CopyLine({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div className="copy-line">
      <code>{text}</code>
      <span>
        <CopyButton text={text} what={what} />
      </span>
    </div>
  );
}
