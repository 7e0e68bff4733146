/** The texts of the audit log: `rotate-key` is "Rotated key". */

/** The text of an action; the subject follows it if `hasSubject`. */
interface AuditText {
  readonly text: string;
  readonly hasSubject?: true;
}

const withSubject = (text: string): AuditText => ({ text, hasSubject: true });
const withoutSubject = (text: string): AuditText => ({ text });

const AUDIT_TEXTS: Readonly<Record<string, AuditText>> = {
  "create-project": withSubject("Created project"),
  "rename-project": withSubject("Renamed project to"),
  "archive-project": withSubject("Archived project"),
  "reopen-project": withSubject("Reopened project"),
  "delete-project": withSubject("Deleted project"),
  "set-keyless": withSubject("Changed reports without a key to"),
  "add-key": withSubject("Added key"),
  "change-key": withSubject("Changed key"),
  "rotate-key": withSubject("Rotated key"),
  "revoke-key": withSubject("Revoked key"),
  "leaked-key": withSubject("A browser sent the server key"),
  invite: withSubject("Created invitation as"),
  "withdraw-invitation": withoutSubject("Withdrew invitation"),
  "set-role": withSubject("Changed role of"),
  "remove-member": withSubject("Removed"),
  "add-token": withSubject("Created token"),
  "revoke-token": withSubject("Revoked token"),
  "rename-person": withSubject("Changed name to"),
  "add-passkey": withSubject("Added passkey"),
  "remove-passkey": withSubject("Removed passkey"),
  "new-recovery-codes": withoutSubject("Created new recovery codes"),
  "end-session": withoutSubject("Ended session"),
  "end-sessions": withoutSubject("Signed out everywhere else"),
  "sign-in-with-link": withoutSubject("Signed in with a setup link"),
  "sign-in-with-invitation": withoutSubject("Accepted an invitation"),
  "sign-in-with-recovery-code": withoutSubject("Signed in with a recovery code"),
  "sign-in-with-passkey": withoutSubject("Signed in with a passkey"),
  "access-sign-in": withoutSubject("First sign-in through Cloudflare Access"),
  "POST /issues/state": withoutSubject("Changed state of selected issues"),
  "POST /saved-views": withoutSubject("Changed saved views"),
  "POST /d/:digest/state": withSubject("Changed state of"),
  "POST /d/:digest/annotations": withSubject("Commented on, assigned or merged"),
  "POST /d/:digest/erase": withSubject("Erased data of"),
  "GET /export": withoutSubject("Exported project"),
  "POST /import": withoutSubject("Imported reports"),
  "POST /erase": withoutSubject("Erased personal data or the project"),
  "POST /erase/preview": withoutSubject("Searched for personal data to erase"),
  "POST /rebuild": withoutSubject("Rebuilt project from KV"),
  "POST /settings/alerts/rules": withoutSubject("Changed alert rules"),
  "POST /settings/alerts/destinations": withoutSubject("Changed alert destinations"),
  "POST /settings/alerts/test": withoutSubject("Sent a test alert"),
  "POST /settings/alerts/again": withoutSubject("Sent an alert again"),
  "POST /settings/alerts/feeds": withoutSubject("Changed the address of a feed"),
  "POST /connect/test": withoutSubject("Sent a test report"),
  "POST /sample": withoutSubject("Loaded sample data"),
  "POST /sample/remove": withoutSubject("Removed sample data"),
};

/** The text of an action; an unknown action is its own text. */
export function toAuditText(action: string): AuditText {
  return AUDIT_TEXTS[action] ?? withSubject(action);
}

/** True for sign-ins, whose subject is also their author. */
export function isSignInAction(action: string): boolean {
  return action.startsWith("sign-in-with-") || action === "access-sign-in";
}

/** The author of a change that names no person. */
export function toUnnamedAuthor(action: string): string {
  return action === "leaked-key" ? "Visitor of a page" : "Local user";
}
