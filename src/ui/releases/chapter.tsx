/** One part of a release's page: the issues that are new in it, say; the most frequent first. */
import { use } from "react";
import { type IssuePage, type IssueQuery, readQuery, writeQuery } from "../../core/issue-query.ts";
import { counted, figure } from "../figure.tsx";
import { IssueTable } from "../issue-table.tsx";
import { listUrl } from "../issues/list-url.ts";
import { A } from "../place.tsx";

/** The parts, in their order on the page. */
export type ChapterName = "new" | "regressed" | "fixed" | "also";

/** A part: what it asks the list for, and the answer. */
export interface Chapter {
  readonly name: ChapterName;
  readonly query: IssueQuery;
  readonly page: Promise<IssuePage>;
}

/** The heading of each part, and what stands there when there is nothing. */
export const CHAPTER_WORDS: Readonly<
  Record<ChapterName, readonly [heading: string, none: string]>
> = {
  new: ["New", "Nothing broke in it for the first time."],
  regressed: ["Came back", "Nothing that was resolved has come back in it."],
  fixed: ["Resolved in it", "Nothing is marked as resolved in it."],
  also: ["Also seen", "Nothing that was known before has happened in it."],
};

const SHOWN = 10;

/** The issues of a part. */
export function ChapterIssues({
  chapter,
  nowMs,
}: {
  readonly chapter: Chapter;
  readonly nowMs: number;
}) {
  const { name, query, page } = chapter;
  const { issues, total } = use(page);
  const [heading, none] = CHAPTER_WORDS[name];
  if (issues.length === 0) return <p className="aside">{none}</p>;
  return (
    <>
      <p className="beside-heading">{counted(total, "issue")}</p>
      <IssueTable
        issues={issues.slice(0, SHOWN)}
        nowMs={nowMs}
        caption={`${heading}, the most frequent first`}
      />
      {total > SHOWN && isWritable(query) && (
        <p className="aside apart">
          <A href={listUrl({ query })}>All {figure(total)} in the list</A>
        </p>
      )}
    </>
  );
}

/** False for a release whose name a query cannot say. */
function isWritable(query: IssueQuery): boolean {
  return writeQuery(readQuery(writeQuery(query), query.sort)) === writeQuery(query);
}
