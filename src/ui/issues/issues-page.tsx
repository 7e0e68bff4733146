/**
 * The list of issues: the question, the answer as it streams in, and beside it what narrows it down. List, facets and views wait
 * for themselves alone.
 */
import { use } from "react";
import { hasRole } from "../../core/accounts/permissions.ts";
import type {
  FilterKey,
  IssueFacet,
  IssueListPage,
  IssueQuery,
  IssueSort,
  SavedView,
} from "../../core/issue/issue-query.ts";
import { limits } from "../../core/limits.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskForm, DeskLink, useDesk } from "../parts/desk-context.tsx";
import { pluralize } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { toIssueListUrl } from "../urls/issue-list-urls.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { IndexUnavailable, NoIssuesYet, NoMatchingIssues } from "./empty-states.tsx";
import { IssueListTable } from "./issues-table.tsx";
import { Pager } from "./pager.tsx";
import { Facets } from "./query/facet-list.tsx";
import { QueryForm } from "./query/query-form.tsx";
import { QueryHints } from "./query/query-hint-list.tsx";
import { SavedViews } from "./query/saved-views.tsx";
import { StateTabs } from "./query/state-tabs.tsx";

/** A page of the list; `isEmpty` when the project has no issue at all. */
export interface IssueListing {
  readonly page: IssueListPage;
  readonly isEmpty: boolean;
  /** Tags that the query names and no issue has. */
  readonly missingTags: readonly FilterKey[];
}

/** What the page is made of. */
export interface IssuesPageProps {
  readonly query: IssueQuery;
  /** The address of this very page, for what leads back to it. */
  readonly url: string;
  /** True on the first page, which changes while somebody looks on. */
  readonly isLive: boolean;
  /** Null while the index is away. */
  readonly listing: Promise<IssueListing | null>;
  readonly facets: Promise<readonly IssueFacet[]>;
  readonly views: Promise<readonly SavedView[]>;
  readonly nowMs: number;
}

/** The page at `/issues`. */
export function IssuesPage(props: IssuesPageProps) {
  const { query, isLive, facets, views } = props;
  return (
    <div className="list-page">
      <header className="list-head">
        <h1>{query.isNoise ? "Noise" : "Issues"}</h1>
        <QueryForm query={query} />
        <StateTabs query={query} />
      </header>
      {query.isNoise && <NoiseExplanation />}
      <div className="list-body">
        <section className="list" aria-label="The list" data-live={isLive ? "" : undefined}>
          <Boundary name="list" loading={<Skeleton shape="rows" label="the issues" />}>
            <IssueListSection {...props} />
          </Boundary>
        </section>
        <aside className="facets" id="facets" aria-labelledby="narrow">
          <h2 id="narrow" className="visually-hidden">
            Narrow down
          </h2>
          <Boundary name="views" loading={null}>
            <LoadedViews query={query} views={views} />
          </Boundary>
          <Boundary name="facets" loading={<Skeleton shape="text" label="what they share" />}>
            <LoadedFacets query={query} facets={facets} />
          </Boundary>
        </aside>
      </div>
    </div>
  );
}

function IssueListSection({ query, url, listing, nowMs }: IssuesPageProps) {
  const canDecide = hasRole(useDesk().role, "member");
  const listed = use(listing);
  if (listed === null) return <IndexUnavailable query={query} />;
  const { page, isEmpty, missingTags } = listed;
  if (isEmpty) return <NoIssuesYet />;
  const hints = <QueryHints query={query} missingTags={missingTags} />;
  if (page.issues.length === 0) {
    return (
      <>
        {hints}
        <NoMatchingIssues query={query} />
      </>
    );
  }
  const toUrl = (sort: IssueSort) => toIssueListUrl({ query: { ...query, sort } });
  const table = {
    issues: page.issues,
    nowMs,
    caption: CAPTIONS[query.sort],
    order: { by: query.sort, toUrl },
  };
  return (
    <>
      {hints}
      <p className="list-count">
        <span>
          {page.total >= limits.maxCountedIssues && "At least "}
          {pluralize(page.total, "issue")}
        </span>
        <DeskLink href={url} className="fresh" data-new-count="" hidden>
          New
        </DeskLink>
        <DeskLink className="to-facets" href="#facets">
          Narrow down
        </DeskLink>
      </p>
      <SortLinks sort={query.sort} toUrl={toUrl} />
      {canDecide ? (
        <DeskForm method="post" action="/issues/state" className="bulk">
          {/* What Enter in a checkbox would press: nothing. */}
          <button type="submit" disabled hidden />
          <input type="hidden" name="returnTo" value={url} />
          <IssueListTable {...table} isSelectable />
          <BulkBar />
        </DeskForm>
      ) : (
        <IssueListTable {...table} />
      )}
      <Pager query={query} page={page} />
    </>
  );
}

const CAPTIONS: Readonly<Record<IssueSort, string>> = {
  last: "Issues, those seen last first",
  first: "Issues, those first seen last first",
  count: "Issues, the most frequent first",
  users: "Issues, those that met the most people first",
};

const SORT_OPTIONS: readonly (readonly [IssueSort, string])[] = [
  ["last", "Last seen"],
  ["first", "First seen"],
  ["count", "Times"],
  ["users", "People"],
];

/** The orders, where the table has no heads: on a phone. */
function SortLinks({ sort, toUrl }: { sort: IssueSort; toUrl: (sort: IssueSort) => string }) {
  return (
    <nav className="orders" aria-label="Order">
      <ul>
        {SORT_OPTIONS.map(([by, word]) => (
          <li key={by}>
            <DeskLink
              href={toUrl(by)}
              aria-current={by === sort ? "true" : undefined}
              data-text={word}
            >
              {word}
            </DeskLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function LoadedViews({ query, views }: Pick<IssuesPageProps, "query" | "views">) {
  return <SavedViews query={query} views={use(views)} />;
}

function LoadedFacets({ query, facets }: Pick<IssuesPageProps, "query" | "facets">) {
  return <Facets query={query} facets={use(facets)} />;
}

/** Why these stand apart. */
function NoiseExplanation() {
  return (
    <p className="muted noise-sentence">
      What breaks through a browser extension, a script that an app or a network injects, or the
      translation of a page. It is counted like everything else, and kept apart so that it does not
      stand between you and your own faults.
    </p>
  );
}
