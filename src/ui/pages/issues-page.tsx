/**
 * The list of issues: the question, the answer as it streams in, and beside it what narrows it down. List, facets and views wait
 * for themselves alone.
 */
import { use } from "react";
import type {
  Facet,
  FilterKey,
  IssuePage,
  IssueQuery,
  SavedView,
  Sort,
} from "../../core/issue-query.ts";
import { limits } from "../../core/limits.ts";
import { reaches } from "../../core/registry/rights.ts";
import { Boundary } from "../boundary.tsx";
import { counted } from "../figure.tsx";
import { IssueTable } from "../issue-table.tsx";
import { BulkBar } from "../issues/bulk-bar.tsx";
import { Facets } from "../issues/facets.tsx";
import { listUrl } from "../issues/list-url.ts";
import { IndexAway, NothingMatches, NothingYet } from "../issues/nothing.tsx";
import { Pager } from "../issues/pager.tsx";
import { QueryForm } from "../issues/query-form.tsx";
import { QueryHints } from "../issues/query-hints.tsx";
import { SavedViews } from "../issues/saved-views.tsx";
import { StateTabs } from "../issues/state-tabs.tsx";
import { A, Form, usePlace } from "../place.tsx";
import { Skeleton } from "../skeleton.tsx";

/** A page of the list; `isEmpty` when the project has no issue at all. */
export interface Listed {
  readonly page: IssuePage;
  readonly isEmpty: boolean;
  /** Tags that the query names and no issue has. */
  readonly missingTags: readonly FilterKey[];
}

/** What the page is made of. */
export interface IssuesPageProps {
  readonly query: IssueQuery;
  /** The address of this very page, for what leads back to it. */
  readonly here: string;
  /** True on the first page, which changes while somebody looks on. */
  readonly isLive: boolean;
  /** Null while the index is away. */
  readonly list: Promise<Listed | null>;
  readonly facets: Promise<readonly Facet[]>;
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
      {query.isNoise && <NoiseSentence />}
      <div className="list-body">
        <section className="list" aria-label="The list" data-live={isLive ? "" : undefined}>
          <Boundary name="list" loading={<Skeleton shape="rows" label="the issues" />}>
            <List {...props} />
          </Boundary>
        </section>
        <aside className="facets" id="facets" aria-labelledby="narrow">
          <h2 id="narrow" className="unseen">
            Narrow down
          </h2>
          <Boundary name="views" loading={null}>
            <Views query={query} views={views} />
          </Boundary>
          <Boundary name="facets" loading={<Skeleton shape="receipt" label="what they share" />}>
            <Shared query={query} facets={facets} />
          </Boundary>
        </aside>
      </div>
    </div>
  );
}

function List({ query, here, list, nowMs }: IssuesPageProps) {
  const mayDecide = reaches(usePlace().role, "member");
  const listed = use(list);
  if (listed === null) return <IndexAway query={query} />;
  const { page, isEmpty, missingTags } = listed;
  if (isEmpty) return <NothingYet />;
  const hints = <QueryHints query={query} missing={missingTags} />;
  if (page.issues.length === 0) {
    return (
      <>
        {hints}
        <NothingMatches query={query} />
      </>
    );
  }
  const urlOf = (sort: Sort) => listUrl({ query: { ...query, sort } });
  const table = {
    issues: page.issues,
    nowMs,
    caption: CAPTIONS[query.sort],
    order: { by: query.sort, urlOf },
  };
  return (
    <>
      {hints}
      <p className="list-count">
        <span>
          {page.total >= limits.maxCountedIssues && "At least "}
          {counted(page.total, "issue")}
        </span>
        <A href={here} className="fresh" data-fresh="" hidden>
          New
        </A>
        <A className="to-facets" href="#facets">
          Narrow down
        </A>
      </p>
      <Orders sort={query.sort} urlOf={urlOf} />
      {mayDecide ? (
        <Form method="post" action="/issues/state" className="bulk">
          {/* What Enter in a checkbox would press: nothing. */}
          <button type="submit" disabled hidden />
          <input type="hidden" name="back" value={here} />
          <IssueTable {...table} canPick />
          <BulkBar />
        </Form>
      ) : (
        <IssueTable {...table} />
      )}
      <Pager query={query} page={page} />
    </>
  );
}

const CAPTIONS: Readonly<Record<Sort, string>> = {
  last: "Issues, those seen last first",
  first: "Issues, those first seen last first",
  count: "Issues, the most frequent first",
  people: "Issues, those that met the most people first",
};

const ORDERS: readonly (readonly [Sort, string])[] = [
  ["last", "Last seen"],
  ["first", "First seen"],
  ["count", "Times"],
  ["people", "People"],
];

/** The orders, where the table has no heads: on a phone. */
function Orders({ sort, urlOf }: { sort: Sort; urlOf: (sort: Sort) => string }) {
  return (
    <nav className="orders" aria-label="Order">
      <ul>
        {ORDERS.map(([by, word]) => (
          <li key={by}>
            <A href={urlOf(by)} aria-current={by === sort ? "true" : undefined} data-text={word}>
              {word}
            </A>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Views({ query, views }: Pick<IssuesPageProps, "query" | "views">) {
  return <SavedViews query={query} views={use(views)} />;
}

function Shared({ query, facets }: Pick<IssuesPageProps, "query" | "facets">) {
  return <Facets query={query} facets={use(facets)} />;
}

/** Why these stand apart. */
function NoiseSentence() {
  return (
    <p className="aside noise-sentence">
      What breaks through a browser extension, a script that an app or a network injects, or the
      translation of a page. It is counted like everything else, and kept apart so that it does not
      stand between you and your own faults.
    </p>
  );
}
