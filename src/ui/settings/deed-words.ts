/** What was changed, in words: `rotate-key` is "Rotated the key". */

/** The words of a deed; what it was about stands behind them where `isAbout`. */
export interface DeedWords {
  readonly says: string;
  readonly isAbout?: true;
}

const about = (says: string): DeedWords => ({ says, isAbout: true });
const only = (says: string): DeedWords => ({ says });

const WORDS: Readonly<Record<string, DeedWords>> = {
  "create-project": about("Made the project"),
  "rename-project": about("Renamed the project to"),
  "archive-project": about("Archived the project"),
  "reopen-project": about("Reopened the project"),
  "delete-project": about("Deleted the project"),
  "add-key": about("Added the key"),
  "change-key": about("Changed the key"),
  "rotate-key": about("Rotated the key"),
  "revoke-key": about("Revoked the key"),
  invite: about("Made an invitation as"),
  "withdraw-invitation": only("Withdrew an invitation"),
  "set-role": about("Changed the role of"),
  "remove-member": about("Removed"),
  "add-token": about("Made the token"),
  "revoke-token": about("Revoked the token"),
  "rename-me": about("Took the name"),
  "add-passkey": about("Added the passkey"),
  "remove-passkey": about("Removed the passkey"),
  "new-recovery-codes": only("Made new recovery codes"),
  "end-session": only("Ended a session"),
  "end-sessions": only("Signed out everywhere else"),
  "enter-by-link": only("Signed in with the link of a deployment"),
  "enter-by-invitation": only("Came in by an invitation"),
  "enter-by-recovery-code": only("Signed in with a recovery code"),
  "enter-by-passkey": only("Signed in with a passkey"),
  arrive: only("Came through Cloudflare Access for the first time"),
  "POST /issues/state": only("Decided about selected issues"),
  "POST /views": only("Changed the saved views"),
  "POST /d/:digest/state": about("Decided about"),
  "POST /d/:digest/notes": about("Commented on, assigned or merged"),
  "POST /d/:digest/erase": about("Erased of"),
  "GET /export": only("Exported the project"),
  "POST /import": only("Imported reports"),
  "POST /erase": only("Erased a person or the project"),
  "POST /rebuild": only("Rebuilt the project from KV"),
  "POST /sample": only("Loaded the sample data"),
  "POST /sample/remove": only("Removed the sample data"),
};

/** The words of a deed; one without words stands as it is. */
export function deedWords(deed: string): DeedWords {
  return WORDS[deed] ?? about(deed);
}

/** True for what somebody came in by: whom it is about is who did it. */
export function isEntering(deed: string): boolean {
  return deed.startsWith("enter-by-") || deed === "arrive";
}
