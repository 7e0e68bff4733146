/** Who changed what in a project, the newest first. */
import { use } from "react";
import type { AuditEntry } from "../../core/registry/audit.ts";
import { Boundary } from "../boundary.tsx";
import { headOf } from "../long-text.tsx";
import { Arrow } from "../marks.tsx";
import { A } from "../place.tsx";
import { deedWords, isEntering } from "../settings/deed-words.ts";
import { Skeleton } from "../skeleton.tsx";
import { Time } from "../time.tsx";

/** What the page is made of. */
export interface AuditPageProps {
  /** Newest first; null while the registry is away. */
  readonly entries: Promise<readonly AuditEntry[] | null>;
  /** With so many there may be older ones. */
  readonly pageSize: number;
  /** False on a page of older ones. */
  readonly isNewest: boolean;
  readonly nowMs: number;
}

const NAME_CHARS = 80;
/** What stands in the address of an issue leads to it. */
const ABOUT_ISSUE = /\/d\/:digest/;

/** The page at `/settings/audit`. */
export function AuditPage(props: AuditPageProps) {
  return (
    <div className="audit-page">
      <header className="page-head">
        <h1>Audit log</h1>
        <p>
          Every change in this project, and what people changed of themselves. It cannot be edited.
          Back to the <A href="/settings">settings</A>.
        </p>
      </header>
      <Boundary name="audit" loading={<Skeleton shape="rows" label="the log" />}>
        <Entries {...props} />
      </Boundary>
    </div>
  );
}

function Entries({ entries, pageSize, isNewest, nowMs }: AuditPageProps) {
  const found = use(entries);
  if (found === null)
    return <p className="behind">The registry cannot be reached at the moment. Reload the page.</p>;
  const oldest = found.at(-1);
  return (
    <>
      {found.length === 0 ? (
        <p className="empty">{isNewest ? "Nothing has been changed yet." : "Nothing older."}</p>
      ) : (
        <table className="audit">
          <caption className="unseen">Changes, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            {found.map((entry) => (
              <Row key={entry.n} of={entry} nowMs={nowMs} />
            ))}
          </tbody>
        </table>
      )}
      <nav className="pager" aria-label="Pages">
        {!isNewest && (
          <A className="button" href="/settings/audit">
            <Arrow to="left" /> Newest
          </A>
        )}
        {oldest !== undefined && found.length >= pageSize && (
          <A className="button" rel="next" href={`/settings/audit?before=${oldest.n}`}>
            Older <Arrow to="right" />
          </A>
        )}
      </nav>
    </>
  );
}

function Row({ of: entry, nowMs }: { of: AuditEntry; nowMs: number }) {
  const { atMs, deed, subject, by = isEntering(deed) ? subject : undefined } = entry;
  const { says, isAbout } = deedWords(deed);
  return (
    <tr>
      <td className="when">
        <Time atMs={atMs} nowMs={nowMs} />
      </td>
      <td className="who">
        {by === undefined ? "This machine" : <bdi>{headOf(by, NAME_CHARS)}</bdi>}
      </td>
      <td>
        {says}
        {isAbout && subject !== undefined && (
          <>
            {" "}
            <Subject of={subject} isIssue={ABOUT_ISSUE.test(deed)} />
          </>
        )}
      </td>
    </tr>
  );
}

function Subject({ of: subject, isIssue }: { of: string; isIssue: boolean }) {
  if (!isIssue) return <bdi className="subject">{headOf(subject, NAME_CHARS)}</bdi>;
  return (
    <A href={`/d/${encodeURIComponent(subject)}`}>
      <bdi>{headOf(subject, NAME_CHARS)}</bdi>
    </A>
  );
}
