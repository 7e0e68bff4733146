/**
 * A place where a passkey is used or made. That needs the page's script (`client/enter.ts`): until it is there, what it serves keeps
 * its room and is not seen, and where it never comes, that is said.
 */
import type { ReactNode } from "react";

/** What the browser or the server said, by the name of the error or by the status; `old` and `else` are the script's own. */
type Words = Readonly<Record<string, string>>;

const SAYS: Words = {
  NotAllowedError: "No passkey was used. Try again when you like.",
  InvalidStateError: "This device has a passkey for you already.",
  SecurityError:
    "A passkey belongs to a name, and this address is a number. Open the desk at localhost.",
  403: "This passkey is not known here, or it took too long. Try again.",
  409: "You have as many passkeys as one may have: remove one first.",
  429: "Too many tries. Wait a minute.",
  old: "This browser has no passkeys that a page can ask for, or the page did not come by https.",
  else: "It did not work. Reload the page, and try again.",
};

/** The place. The server is asked at `ask`, and told at `answer`; `to` is where signing in leads, absent where a passkey is made. */
export function Scripted({
  ask,
  answer,
  to,
  without,
  className,
  children,
}: {
  readonly ask: string;
  readonly answer: string;
  readonly to?: string;
  /** What is said where no script runs. */
  readonly without: string;
  readonly className?: string;
  /** A button, and perhaps a field `name`. */
  readonly children: ReactNode;
}) {
  return (
    <div
      className="scripted"
      data-ask={ask}
      data-answer={answer}
      data-to={to}
      data-says={JSON.stringify(SAYS)}
    >
      <div className={className} hidden>
        {children}
      </div>
      <p role="status" className="late">
        {without}
      </p>
    </div>
  );
}
