/**
 * The texts of the audit log, after the name of the author: `rotate-key` is "rotated the key".
 * Entries of operations have their own text.
 */

/** The text of an action; the subject follows it if `hasSubject`. */
interface AuditText {
  readonly text: string;
  readonly hasSubject?: true;
}

const withSubject = (text: string): AuditText => ({ text, hasSubject: true });
const withoutSubject = (text: string): AuditText => ({ text });

const AUDIT_TEXTS: Readonly<Record<string, AuditText>> = {
  "create-project": withSubject("created the project"),
  "rename-project": withSubject("renamed the project to"),
  "archive-project": withSubject("archived the project"),
  "reopen-project": withSubject("reopened the project"),
  "delete-project": withSubject("deleted the project"),
  "set-keyless": withSubject("set “Reports without a key” to"),
  "set-noise-rules": withSubject("set “Noise” to"),
  "split-by-stack": withSubject("split by stack"),
  "group-together": withSubject("ended the split by stack of"),
  "add-key": withSubject("added the key"),
  "change-key": withSubject("changed the key"),
  "rotate-key": withSubject("rotated the key"),
  "revoke-key": withSubject("revoked the key"),
  "pause-key": withSubject("paused the key"),
  "resume-key": withSubject("resumed the key"),
  "leaked-key": withSubject("sent the server key"),
  invite: withSubject("created an invitation for the role"),
  "withdraw-invitation": withoutSubject("withdrew an invitation"),
  "set-role": withSubject("changed the role of"),
  "remove-member": withSubject("removed"),
  "add-token": withSubject("created the token"),
  "revoke-token": withSubject("revoked the token"),
  "restore-token": withSubject("undid the revocation of the token"),
  "restore-key": withSubject("undid the revocation of the key"),
  "restore-invitation": withSubject("undid the withdrawal of an invitation for the role"),
  "rename-person": withSubject("changed their name to"),
  "add-passkey": withSubject("added the passkey"),
  "remove-passkey": withSubject("removed the passkey"),
  "new-recovery-codes": withoutSubject("created new recovery codes"),
  "end-session": withoutSubject("ended a session"),
  "end-sessions": withoutSubject("signed out everywhere else"),
  "sign-in-with-link": withoutSubject("signed in with a setup link"),
  "sign-in-with-invitation": withoutSubject("accepted an invitation"),
  "sign-in-with-recovery-code": withoutSubject("signed in with a recovery code"),
  "sign-in-with-passkey": withoutSubject("signed in with a passkey"),
  "access-sign-in": withoutSubject("signed in through Cloudflare Access for the first time"),
  // Entries of earlier versions, whose outcome is unknown.
  "POST /issues/state": withoutSubject("tried to change selected issues"),
  "POST /undo": withoutSubject("undid an action"),
  "POST /saved-views": withoutSubject("changed the saved views"),
  "POST /d/:digest/state": withSubject("tried to change the state of"),
  "POST /d/:digest/annotations": withSubject("tried to comment on, assign or merge"),
  "POST /d/:digest/erase": withSubject("erased data of"),
  // Routes that are no operations.
  "GET /export": withoutSubject("exported the project"),
  "POST /import": withoutSubject("imported reports"),
  "POST /erase": withoutSubject("erased personal data or the project"),
  "POST /erase/preview": withoutSubject("searched for personal data to erase"),
  "POST /rebuild": withoutSubject("rebuilt the project from KV"),
  "POST /settings/alerts/rules": withoutSubject("changed the alert rules"),
  "POST /settings/alerts/destinations": withoutSubject("changed the alert destinations"),
  "POST /settings/alerts/test": withoutSubject("sent a test alert"),
  "POST /settings/alerts/again": withoutSubject("sent an alert again"),
  "POST /settings/alerts/feeds": withoutSubject("changed the address of a feed"),
  "POST /settings/alerts/github": withoutSubject("changed the GitHub repository of alerts"),
  "PUT /source-maps": withoutSubject("uploaded source maps"),
  "POST /source-maps/:id/delete": withoutSubject("deleted an upload of source maps"),
  "POST /connect/test": withoutSubject("sent a test report"),
  "POST /sample": withoutSubject("loaded the sample data"),
  "POST /sample/remove": withoutSubject("removed the sample data"),
  "POST /self-test/remove": withoutSubject("removed the issues of self-tests"),
};

/** The text of an action; an unknown action is its own text. */
export function toAuditText(action: string): AuditText {
  return AUDIT_TEXTS[action.replace("/:name{.+}", "")] ?? withSubject(action);
}

/** True for sign-ins, whose subject is also their author. */
export function isSignInAction(action: string): boolean {
  return action.startsWith("sign-in-with-") || action === "access-sign-in";
}

/** The author of a change without a person. */
export function toUnnamedAuthor(action: string): string {
  return action === "leaked-key" ? "A visitor’s browser" : "The local user";
}
