/**
 * The texts of the audit log, after the name of the author: `rotate-key` is "rotated the key".
 * Entries of operations have their own text.
 */
import { CHANGE_AUDIT_TEXTS, SIGN_IN_ACTIONS } from "../../core/accounts/registry-changes.ts";

/** The text of an action; the subject follows it if `hasSubject`. */
interface AuditText {
  readonly text: string;
  readonly hasSubject?: true;
}

const withSubject = (text: string): AuditText => ({ text, hasSubject: true });
const withoutSubject = (text: string): AuditText => ({ text });

const AUDIT_TEXTS: Readonly<Record<string, AuditText>> = {
  "leaked-key": withSubject("sent the server key"),
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
  const change = CHANGE_AUDIT_TEXTS[action];
  if (change === undefined)
    return AUDIT_TEXTS[action.replace("/:name{.+}", "")] ?? withSubject(action);
  const text = change.replace(" {subject}", "");
  return text === change ? withoutSubject(text) : withSubject(text);
}

/** True for sign-ins, whose subject is also their author. */
export function isSignInAction(action: string): boolean {
  return SIGN_IN_ACTIONS.has(action);
}

/** The author of a change without a person. */
export function toUnnamedAuthor(action: string): string {
  return action === "leaked-key" ? "A visitor’s browser" : "The local user";
}
