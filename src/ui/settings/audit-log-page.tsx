/** The changes in a project, newest first: the page at `/settings/audit`. */
import { use } from "react";
import type { AuditEntry } from "../../core/accounts/audit-entry.ts";
import { CHANGE_AUDIT_TEXTS, SIGN_IN_ACTIONS } from "../../core/accounts/registry-changes.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { ArrowIcon } from "../parts/icons.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime } from "../parts/time.tsx";

interface AuditLogProps {
  /** Newest first; null while the registry is unavailable. */
  readonly entries: Promise<readonly AuditEntry[] | null>;
  /** A full page may be followed by older entries. */
  readonly pageSize: number;
  /** False on pages of older entries. */
  readonly isFirstPage: boolean;
  readonly nowMs: number;
}

const NAME_CHARS = 80;
/** A key, and the origin of the page that leaked it. */
const SUBJECT_CHARS = 200;
/** Splits a text into other text and digests, which are at odd indexes. */
const DIGESTS = /\b([0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4})\b/;

export function AuditLog(props: AuditLogProps) {
  return (
    <Boundary name="audit" loading={<Skeleton shape="rows" label="the audit log" />}>
      <AuditTable {...props} />
    </Boundary>
  );
}

function AuditTable({ entries, pageSize, isFirstPage, nowMs }: AuditLogProps) {
  const found = use(entries);
  if (found === null)
    return (
      <p className="warning">
        The audit log is temporarily unavailable. Reload the page to try again.
      </p>
    );
  const oldest = found.at(-1);
  return (
    <>
      {found.length === 0 ? (
        <p className="empty-state">{isFirstPage ? "No changes yet." : "No older changes."}</p>
      ) : (
        <table className="audit">
          <caption className="visually-hidden">Changes, newest first</caption>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {found.map((entry) => (
              <AuditRow key={entry.sequence} entry={entry} nowMs={nowMs} />
            ))}
          </tbody>
        </table>
      )}
      <nav className="pager" aria-label="Pages">
        {!isFirstPage && (
          <DeskLink className="button" href="/settings/audit">
            <ArrowIcon direction="left" /> Newest
          </DeskLink>
        )}
        {oldest !== undefined && found.length >= pageSize && (
          <DeskLink
            className="button"
            rel="next"
            href={`/settings/audit?before=${oldest.sequence}`}
          >
            Older <ArrowIcon direction="right" />
          </DeskLink>
        )}
      </nav>
    </>
  );
}

function AuditRow({ entry, nowMs }: { entry: AuditEntry; nowMs: number }) {
  const { atMs, action, subject, by = isSignInAction(action) ? subject : undefined } = entry;
  return (
    <tr>
      <td className="when">
        <RelativeTime atMs={atMs} nowMs={nowMs} />
      </td>
      <td>
        {by === undefined ? (
          toUnnamedAuthor(action)
        ) : (
          <bdi className="subject">{abbreviate(by, NAME_CHARS)}</bdi>
        )}{" "}
        <Change {...entry} />
      </td>
    </tr>
  );
}

function Change({ action, subject, details, outcome }: AuditEntry) {
  if (details !== undefined) {
    // Of several issues, the text has only the number.
    const named = outcome === undefined ? [] : (subject?.split(" ") ?? []);
    const isComplete = named.every((digest) => details.includes(digest));
    const text = isComplete ? details : `${details}: ${named.join(", ")}`;
    return <TextWithDigests text={text + toOutcomeText(outcome)} />;
  }
  const { text, hasSubject } = toAuditText(action);
  if (!hasSubject || subject === undefined) return text;
  return (
    <>
      {text}{" "}
      {action.includes("/d/:digest") ? (
        <TextWithDigests text={subject} />
      ) : (
        <bdi className="subject">{abbreviate(subject, SUBJECT_CHARS)}</bdi>
      )}
    </>
  );
}

/** How an operation ended, after its text; empty if it was done, or has no outcome. */
function toOutcomeText(outcome: string | undefined): string {
  if (outcome === undefined || outcome === "done") return "";
  return outcome === "started"
    ? " (outcome unknown)"
    : ` (not done: ${outcome.replaceAll("-", " ")})`;
}

/** A text whose digests link to their issues. */
function TextWithDigests({ text }: { text: string }) {
  return (
    <bdi>
      {text.split(DIGESTS).map((part, n) =>
        n % 2 === 0 ? (
          part
        ) : (
          <DeskLink key={part} href={`/d/${part}`}>
            {part}
          </DeskLink>
        ),
      )}
    </bdi>
  );
}

// The texts of the audit log, after the name of the author: `rotate-key` is "rotated the key".
// Entries of operations have their own text.

/** The text of an action; the subject follows it if `hasSubject`. */
interface AuditText {
  readonly text: string;
  readonly hasSubject?: true;
}

const withSubject = (text: string): AuditText => ({ text, hasSubject: true });
const withoutSubject = (text: string): AuditText => ({ text });

const AUDIT_TEXTS: Readonly<Record<string, AuditText>> = {
  "leaked-key": withSubject("sent the server key"),
  "reuse-authorization-code": withSubject("lost, after its code was used twice, the program"),
  "reuse-refresh-token": withSubject("lost, after its refresh token was used twice, the program"),
  "revoke-own-grant": withSubject("was disconnected by the program"),
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
  "POST /self-test/injection": withoutSubject("stored a report with a prompt injection"),
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
function isSignInAction(action: string): boolean {
  return SIGN_IN_ACTIONS.has(action);
}

/** The author of a change without a person. */
function toUnnamedAuthor(action: string): string {
  return action === "leaked-key" ? "A visitor’s browser" : "The local user";
}
