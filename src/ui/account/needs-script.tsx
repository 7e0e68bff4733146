/**
 * The prompt for using or creating a passkey. It needs `client/passkey-prompt.ts`. Until the script
 * runs, the space of the button is reserved; if it never runs, a text states this.
 */
import type { ReactNode } from "react";

/** Messages by the error's name or the response status. The client script sets `old` and `else`. */
type ErrorMessages = Readonly<Record<string, string>>;

const ERROR_MESSAGES: ErrorMessages = {
  NotAllowedError: "No passkey was used. Try again.",
  InvalidStateError: "This device already has a passkey for this account.",
  SecurityError:
    "Passkeys need a host name, and this address is an IP address. Use localhost instead.",
  401: "Reload the page, and sign in again to add a passkey.",
  403: "Unknown passkey, or the request timed out. Try again.",
  409: "You have reached the maximum number of passkeys. Remove one first.",
  429: "Too many attempts. Try again in a minute.",
  old: "Passkeys need a browser that supports them and HTTPS.",
  else: "Something went wrong. Reload the page and try again.",
};

/**
 * The prompt. The script requests the options from `optionsUrl` and sends the credential to
 * `responseUrl`. With `returnTo` it signs in; without, it creates a passkey.
 */
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
  /** The text when scripts do not run. */
  readonly noScriptText: string;
  readonly className?: string;
  /** A button and, optionally, a field `name`. */
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
