/**
 * The issue list with its query, facets and saved views. List, facets and views stream in
 * independently.
 */
import { type ReactNode, use } from "react";
import { hasRole } from "../../core/accounts/actors.ts";
import { KEYLESS_ID } from "../../core/accounts/ingest-keys.ts";
import { REQUIRED_ROLES } from "../../core/accounts/required-roles.ts";
import type { FloodSummary, IssueFacet, IssueListPage } from "../../core/issue/issue-list-page.ts";
import {
  formatIssueQuery,
  type IssueQuery,
  type IssueSort,
  parseIssueQuery,
} from "../../core/issue/issue-query.ts";
import { withoutLeftOut } from "../../core/issue/query-problems.ts";
import type { SavedView } from "../../core/issue/saved-view.ts";
import { SELF_REPORT_QUERY } from "../../core/report/self-reports.ts";
import { MAX_NETWORKS } from "../../core/stats/network-sketch.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/utc-time.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskForm, DeskLink, useDesk } from "../parts/desk-context.tsx";
import { ArrowIcon } from "../parts/icons.tsx";
import { formatNumber, pluralize, pluralizeTotal } from "../parts/number.tsx";
import { ScopeButtons, useScope } from "../parts/scope-switch.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { toIssueListUrl, toSearchUrl } from "../urls/issue-list-urls.ts";
import { toKeySectionUrl } from "../urls/settings-urls.ts";
import { BulkForm } from "./bulk/bulk-form.tsx";
import { IndexUnavailable, NoIssuesYet, NoMatchesYet, NoMatchingIssues } from "./empty-states.tsx";
import { ISSUE_ORDERS, LISTED_ORDERS } from "./issue-count-cells.tsx";
import { IssueListTable, type IssueListTableProps } from "./issues-table.tsx";
import { Facets } from "./query/facet-list.tsx";
import { QueryForm } from "./query/query-form.tsx";
import { QuerySay } from "./query/query-say.tsx";
import { SavedViews } from "./query/saved-views.tsx";
import { StateTabs } from "./query/state-tabs.tsx";

/** The id of the rows, to which the first link of the page skips. */
export const ISSUE_ROWS = "issues";

/** The cookie of browsers that chose one line per issue: `1`. A script sets it. */
export const ONE_LINE_COOKIE = "errata-one-line";

/** A page of the list. `isEmpty` is true if the project has no issues at all. */
export interface IssueListing {
  readonly page: IssueListPage;
  readonly isEmpty: boolean;
}

interface IssuesPageProps {
  readonly query: IssueQuery;
  /** The query with the environment of the page. */
  readonly scopedQuery: IssueQuery;
  /** The URL of this page, for the return from forms. */
  readonly url: string;
  /** True on the first page, which updates live. */
  readonly isLive: boolean;
  /** Null while the index is unavailable. */
  readonly listing: Promise<IssueListing | null>;
  readonly facets: Promise<readonly IssueFacet[]>;
  readonly views: Promise<readonly SavedView[]>;
  /** The ids of the project's paused keys. */
  readonly pausedKeys: readonly string[];
  /** True if each row has one line. */
  readonly isOneLine: boolean;
  readonly nowMs: number;
}

export function IssuesPage(props: IssuesPageProps) {
  const { query, isLive, facets, views } = props;
  return (
    <div className="issues-page wide-page">
      <header className="list-header" data-plain={isPlain(query) ? "" : undefined}>
        <h1>{query.isNoise ? "Noise" : "Issues"}</h1>
        <QueryForm query={query} listing={props.listing.then((listing) => listing?.page ?? null)} />
        <ScopeButtons />
      </header>
      {query.isNoise && <NoiseExplanation />}
      <div className="list-body">
        <div className="list">
          <StateTabs query={query} />
          <section
            id="list"
            tabIndex={-1}
            aria-label="Issue list"
            data-live={isLive ? "" : undefined}
          >
            <Boundary name="list" loading={<Skeleton shape="rows" label="the issues" />}>
              <IssueListSection {...props} />
            </Boundary>
          </section>
        </div>
        <aside className="facets" id="facets" aria-labelledby="facets-heading">
          <h2 id="facets-heading" className="visually-hidden">
            Filters
          </h2>
          <Boundary name="views" loading={null}>
            <LoadedViews query={query} views={views} />
          </Boundary>
          <Boundary name="facets" loading={<Skeleton shape="text" label="the filters" />}>
            <LoadedFacets query={query} facets={facets} />
          </Boundary>
        </aside>
      </div>
    </div>
  );
}

/** True if the tabs show all that the query says, so that phones need no field for it. */
function isPlain(query: IssueQuery): boolean {
  const { states, isNoise } = query;
  return formatIssueQuery({ ...parseIssueQuery(""), states, isNoise }) === formatIssueQuery(query);
}

function IssueListSection(props: IssuesPageProps) {
  const { query, scopedQuery, url, listing, pausedKeys, isOneLine, nowMs } = props;
  const { environment } = useScope();
  const canDecide = hasRole(useDesk().role, REQUIRED_ROLES.triage);
  const listed = use(listing);
  if (listed === null)
    return (
      <NoRows>
        <IndexUnavailable query={query} />
      </NoRows>
    );
  const { page, isEmpty } = listed;
  if (isEmpty)
    return (
      <NoRows>
        <NoIssuesYet />
      </NoRows>
    );
  const say = <QuerySay query={query} unknownTags={page.unknownTags} />;
  const hints = (
    <>
      {page.floods?.map((flood) => (
        <FloodRow key={flood.key} flood={flood} pausedKeys={pausedKeys} />
      ))}
    </>
  );
  if (page.issues.length === 0) {
    return (
      <>
        <p className="list-count">{say}</p>
        {hints}
        <NoRows>
          {page.next === undefined && page.previous === undefined ? (
            <NoMatchingIssues query={query} environment={environment} />
          ) : (
            <NoMatchesYet query={query} page={page} />
          )}
        </NoRows>
      </>
    );
  }
  const toUrl = (sort: IssueSort) => toIssueListUrl({ query: { ...query, sort } });
  const table: IssueListTableProps = {
    issues: page.issues,
    nowMs,
    caption: ISSUE_ORDERS[query.sort].caption,
    list: withoutLeftOut(scopedQuery, page.unknownTags),
    words: query.text,
    sorting: { by: query.sort, toUrl },
    rowsId: ISSUE_ROWS,
  };
  return (
    <>
      {hints}
      <p className="list-count">
        {say}
        <span title={environment && "Counts and charts cover all environments"}>
          {pluralizeTotal(page, "issue")}
          {environment !== undefined && (
            <span className="muted">, counted in all environments</span>
          )}
        </span>
        <DeskLink href={url} className="new-issues-link" data-new-count="" hidden>
          New
        </DeskLink>
        {canDecide && (
          <label className="select-mode">
            <input type="checkbox" className="visually-hidden" data-select-mode="" />
            Select
          </label>
        )}
        <DeskLink className="facets-link" href="#facets">
          Filters
        </DeskLink>
        <label className="density">
          <input
            type="checkbox"
            defaultChecked={isOneLine}
            data-one-line={ONE_LINE_COOKIE}
            data-shortcut="v"
            aria-label="One line per issue"
          />
          One line
        </label>
      </p>
      <SortLinks sort={query.sort} toUrl={toUrl} />
      {canDecide ? (
        <BulkForm returnTo={url} matches={{ query: table.list ?? scopedQuery, page }}>
          <IssueListTable {...table} isSelectable />
        </BulkForm>
      ) : (
        <IssueListTable {...table} />
      )}
      <Pager query={query} page={page} />
    </>
  );
}

/** What is in the place of the rows, for the link that skips to them. */
function NoRows({ children }: { children: ReactNode }) {
  return (
    <div id={ISSUE_ROWS} tabIndex={-1}>
      {children}
    </div>
  );
}

/** Links that sort the list, for phones, where the table has no header. */
function SortLinks({ sort, toUrl }: { sort: IssueSort; toUrl: (sort: IssueSort) => string }) {
  return (
    <nav className="orders" aria-label="Sort by">
      <ul>
        {LISTED_ORDERS.map(([by, { label }]) => (
          <li key={by}>
            <DeskLink
              href={toUrl(by)}
              aria-current={by === sort ? "true" : undefined}
              data-text={label}
            >
              {label}
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

/** Explains the noise list. */
function NoiseExplanation() {
  return (
    <p className="muted noise-note">
      Errors caused by browser extensions, injected scripts or page translation, and{" "}
      <DeskLink href={toSearchUrl(SELF_REPORT_QUERY)}>those of Errata itself</DeskLink>. They are
      counted like other issues and hidden from the default list.
    </p>
  );
}

// The row that stands for all issues of a flood, with the actions on them.

/** The issues with the most reports come first: one of them may be real. */
const REVIEW_URL = toIssueListUrl({ query: { ...parseIssueQuery("is:folded"), sort: "count" } });

interface FloodRowProps {
  readonly flood: FloodSummary;
  /** The ids of the project's paused keys. */
  readonly pausedKeys: readonly string[];
}

/** `Flood from browsers: 3,412 reports in 41 issues, from 2 networks in 20 min.` */
function FloodRow({ flood, pausedKeys }: FloodRowProps) {
  const { key, reports, issues, networks, sinceMs, lastMs } = flood;
  const isKeyless = key === KEYLESS_ID;
  return (
    <section className="flood-row" aria-label="Flood from browsers">
      <p>
        <b>Flood from browsers:</b> {pluralize(reports, "report")} in {pluralize(issues, "issue")}
        {networks > 0 && `, from ${formatNetworks(networks)}`} in {formatDuration(lastMs - sinceMs)}
        . <span className="muted">Folded, no alerts.</span>
      </p>
      <DeskLink className="button" href={REVIEW_URL}>
        Review {formatNumber(issues)}
      </DeskLink>
      {pausedKeys.includes(key) ? (
        <DeskLink href={toKeySectionUrl(key)}>{isKeyless ? "Paused" : "Key is paused"}</DeskLink>
      ) : (
        <DeskForm requiredRole="owner" method="post" action={toKeySectionUrl(key)}>
          <input type="hidden" name="do" value="pause-key" />
          <input type="hidden" name="key" value={key} />
          <button type="submit">{`Pause ${isKeyless ? "reports without a key" : "this key"}`}</button>
        </DeskForm>
      )}
    </section>
  );
}

function formatNetworks(networks: number): string {
  return networks >= MAX_NETWORKS ? `${networks}+ networks` : pluralize(networks, "network");
}

/** `1 min`, `59 min`, `3 h`. */
function formatDuration(ms: number): string {
  return ms < HOUR_MS
    ? `${Math.max(1, Math.ceil(ms / MINUTE_MS))} min`
    : `${formatNumber(Math.round(ms / HOUR_MS))} h`;
}

// Links to the previous and next page of the list. A page begins where its neighbor ends, so new
// issues do not move it.

/** The links; nothing if there is only one page. */
function Pager({ query, page }: { query: IssueQuery; page: IssueListPage }) {
  const { previous, next } = page;
  if (previous === undefined && next === undefined) return null;
  const [previousLabel, nextLabel] = ISSUE_ORDERS[query.sort].pages;
  return (
    <nav className="pager" aria-label="Pages">
      {previous !== undefined && (
        <>
          <DeskLink
            className="button"
            id="previous-page"
            rel="prev"
            href={toIssueListUrl({ query, from: previous })}
          >
            <ArrowIcon direction="left" /> {previousLabel}
          </DeskLink>
          <DeskLink href={toIssueListUrl({ query })}>First page</DeskLink>
        </>
      )}
      {next !== undefined && (
        <DeskLink
          className="button"
          id="next-page"
          rel="next"
          href={toIssueListUrl({ query, from: next })}
        >
          {nextLabel} <ArrowIcon direction="right" />
        </DeskLink>
      )}
    </nav>
  );
}
