/**
 * A place where a passkey is used or made. That needs the page's script (`client/enter.ts`): until it is there, what it serves keeps
 * its room and is not seen, and where it never comes, that is said.
 */
import type { ReactNode } from "react";

/** What the browser or the server said, by the name of the error or by the status; `old` and `else` are the script's own. */
type ErrorMessages = Readonly<Record<string, string>>;

const ERROR_MESSAGES: ErrorMessages = {
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
export function PasskeyPrompt({
  optionsUrl,
  responseUrl,
  returnTo,
  noScriptText,
  className,
  children,
}: {
  readonly optionsUrl: string;
  readonly responseUrl: string;
  readonly returnTo?: string;
  /** What is said where no script runs. */
  readonly noScriptText: string;
  readonly className?: string;
  /** A button, and perhaps a field `name`. */
  readonly children: ReactNode;
}) {
  return (
    <div
      className="passkey-prompt"
      data-options-url={optionsUrl}
      data-response-url={responseUrl}
      data-return-to={returnTo}
      data-error-messages={JSON.stringify(ERROR_MESSAGES)}
    >
      <div className={className} hidden>
        {children}
      </div>
      <p role="status" className="delayed">
        {noScriptText}
      </p>
    </div>
  );
}
