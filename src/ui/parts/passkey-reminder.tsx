/** A box on the first pages of a person who could not sign in again. */
import { DeskLink, useDesk } from "./desk-context.tsx";

/** Asks for a passkey; nothing for people who have a passkey or recovery codes. */
export function PasskeyReminder() {
  if (!useDesk().needsPasskey) return null;
  return (
    <p className="callout">
      <b>Add a passkey</b> on your <DeskLink href={PASSKEYS_URL}>profile</DeskLink>, so that you can
      sign in again: the code of your link has been used.
    </p>
  );
}

/** The section of the profile that adds passkeys. */
export const PASSKEYS_URL = "/profile#passkeys";
