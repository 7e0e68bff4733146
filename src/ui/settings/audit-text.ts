/** What was changed, in words: `rotate-key` is "Rotated the key". */

/** The words of a deed; what it was about stands behind them where `isAbout`. */
export interface AuditText {
  readonly text: string;
  readonly hasSubject?: true;
}

const withSubject = (says: string): AuditText => ({ text: says, hasSubject: true });
const withoutSubject = (says: string): AuditText => ({ text: says });

const AUDIT_TEXTS: Readonly<Record<string, AuditText>> = {
  "create-project": withSubject("Made the project"),
  "rename-project": withSubject("Renamed the project to"),
  "archive-project": withSubject("Archived the project"),
  "reopen-project": withSubject("Reopened the project"),
  "delete-project": withSubject("Deleted the project"),
  "add-key": withSubject("Added the key"),
  "change-key": withSubject("Changed the key"),
  "rotate-key": withSubject("Rotated the key"),
  "revoke-key": withSubject("Revoked the key"),
  invite: withSubject("Made an invitation as"),
  "withdraw-invitation": withoutSubject("Withdrew an invitation"),
  "set-role": withSubject("Changed the role of"),
  "remove-member": withSubject("Removed"),
  "add-token": withSubject("Made the token"),
  "revoke-token": withSubject("Revoked the token"),
  "rename-person": withSubject("Took the name"),
  "add-passkey": withSubject("Added the passkey"),
  "remove-passkey": withSubject("Removed the passkey"),
  "new-recovery-codes": withoutSubject("Made new recovery codes"),
  "end-session": withoutSubject("Ended a session"),
  "end-sessions": withoutSubject("Signed out everywhere else"),
  "sign-in-with-link": withoutSubject("Signed in with the link of a deployment"),
  "sign-in-with-invitation": withoutSubject("Came in by an invitation"),
  "sign-in-with-recovery-code": withoutSubject("Signed in with a recovery code"),
  "sign-in-with-passkey": withoutSubject("Signed in with a passkey"),
  "access-sign-in": withoutSubject("Came through Cloudflare Access for the first time"),
  "POST /issues/state": withoutSubject("Decided about selected issues"),
  "POST /saved-views": withoutSubject("Changed the saved views"),
  "POST /d/:digest/state": withSubject("Decided about"),
  "POST /d/:digest/annotations": withSubject("Commented on, assigned or merged"),
  "POST /d/:digest/erase": withSubject("Erased of"),
  "GET /export": withoutSubject("Exported the project"),
  "POST /import": withoutSubject("Imported reports"),
  "POST /erase": withoutSubject("Erased a person or the project"),
  "POST /rebuild": withoutSubject("Rebuilt the project from KV"),
  "POST /sample": withoutSubject("Loaded the sample data"),
  "POST /sample/remove": withoutSubject("Removed the sample data"),
};

/** The words of a deed; one without words stands as it is. */
export function toAuditText(deed: string): AuditText {
  return AUDIT_TEXTS[deed] ?? withSubject(deed);
}

/** True for what somebody came in by: whom it is about is who did it. */
export function isSignInAction(deed: string): boolean {
  return deed.startsWith("sign-in-with-") || deed === "access-sign-in";
}
