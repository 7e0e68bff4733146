/**
 * On the page of an issue: links to the list in which it was opened, and to the previous and next
 * issue there. They work without scripts.
 */
import { use } from "react";
import type { IssueNeighbors } from "../../core/issue/issue-list-page.ts";
import type { IssueQuery } from "../../core/issue/issue-query.ts";
import type { Digest } from "../../core/report.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { ArrowIcon } from "../parts/icons.tsx";
import { formatNumber } from "../parts/number.tsx";
import { toIssueListUrl, toListSearch } from "../urls/issue-list-urls.ts";
import { toIssueUrl } from "../urls/issue-urls.ts";

interface ListPositionProps {
  readonly digest: Digest;
  readonly list: IssueQuery;
  /** Null while the index is unavailable. */
  readonly neighbors: Promise<IssueNeighbors | null>;
}

export function ListPosition(props: ListPositionProps) {
  const { list, digest } = props;
  return (
    <nav className="list-position" aria-label="Issue list">
      <Boundary
        name="list-position"
        loading={<BackLink href={`${toIssueListUrl({ query: list })}#issue-${digest}`} />}
      >
        <LoadedPosition {...props} />
      </Boundary>
    </nav>
  );
}

/** The link to the list, for an issue that was not opened from a list. */
export function DefaultListLink() {
  return (
    <nav className="list-position" aria-label="Issue list">
      <DeskLink href="/issues" data-shortcut="u">
        <ArrowIcon direction="left" /> All issues
      </DeskLink>
    </nav>
  );
}

function LoadedPosition({ digest, list, neighbors }: ListPositionProps) {
  const found = use(neighbors);
  const { previous, next, position, page } = found ?? {};
  // The issue that replaced one which has just left the list.
  const target = position === undefined ? (next ?? previous ?? digest) : digest;
  return (
    <>
      <BackLink href={`${toIssueListUrl({ query: list, from: page })}#issue-${target}`} />
      <NeighborLink to={previous} list={list} rel="prev" label="Previous issue" shortcut="[ K" />
      {found !== null && <span>{formatPosition(found)}</span>}
      <NeighborLink to={next} list={list} rel="next" label="Next issue" shortcut="] J" />
    </>
  );
}

function BackLink({ href }: { href: string }) {
  return (
    <DeskLink href={href} data-shortcut="u" className="button">
      <span className="visually-hidden">Back to the list of </span>Issues
    </DeskLink>
  );
}

function NeighborLink({
  to,
  list,
  rel,
  label,
  shortcut,
}: {
  to: Digest | undefined;
  list: IssueQuery;
  rel: "prev" | "next";
  label: string;
  shortcut: string;
}) {
  const icon = <ArrowIcon direction={rel === "prev" ? "left" : "right"} />;
  if (to === undefined) return <span className="button disabled">{icon}</span>;
  return (
    <DeskLink
      className="button"
      id={`${rel}-issue`}
      rel={rel}
      href={toIssueUrl(to) + toListSearch(list)}
      data-shortcut={shortcut}
      aria-label={label}
      title={label}
    >
      {icon}
    </DeskLink>
  );
}

/** `3 of 531`, `3 of 1,000+`; for an issue outside of the list `531 in the list`. */
function formatPosition({ position, total, isTotalCapped }: IssueNeighbors): string {
  const all = `${formatNumber(total)}${isTotalCapped ? "+" : ""}`;
  return position === undefined ? `${all} in the list` : `${formatNumber(position)} of ${all}`;
}
