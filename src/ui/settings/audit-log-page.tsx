/** The changes in a project, newest first: the page at `/settings/audit`. */
import { use } from "react";
import type { AuditEntry } from "../../core/accounts/audit-entry.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { ArrowIcon } from "../parts/icons.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { isSignInAction, toAuditText, toUnnamedAuthor } from "./audit-text.ts";

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
