/** The account for the operator: every item that came in and what became of it, sessions by release, what never came. */
import { Boundary } from "../boundary.tsx";
import { Skeleton } from "../skeleton.tsx";
import { Account } from "../status/account.tsx";
import { Copies } from "../status/copies.tsx";
import { Summary, type SummaryProps } from "../status/summary.tsx";
import { WholeProject } from "../status/whole-project.tsx";
import { Work } from "../status/work.tsx";

/** What the page is made of. */
export interface StatusPageProps extends SummaryProps {
  /** What somebody has just begun from this page. */
  readonly begun?: string | undefined;
}

/** The page at `/status`. */
export function StatusPage({ account, store, own, begun }: StatusPageProps) {
  return (
    <div className="status-page">
      <header className="page-head">
        <h1>Status</h1>
        <p>
          Every item that is taken ends in one of these ways, and is counted once. A request that is
          refused before its body is looked at (a wrong key, too many of them) is answered and not
          counted. See also <a href="/docs/limits-and-costs">limits and costs</a>.
        </p>
      </header>
      <div role="status">
        <Boundary name="work" loading={null}>
          <Work store={store} begun={begun} />
        </Boundary>
      </div>
      <Boundary name="summary" loading={<Skeleton shape="receipt" label="the figures" />}>
        <Summary account={account} store={store} own={own} />
      </Boundary>
      <Boundary name="status" loading={<Skeleton shape="rows" label="the account" />}>
        <Account account={account} />
      </Boundary>
      <section aria-labelledby="copies">
        <h2 id="copies">Copies in KV</h2>
        <Boundary name="store" loading={<Skeleton shape="rows" label="the copies" />}>
          <Copies store={store} />
        </Boundary>
      </section>
      <WholeProject />
    </div>
  );
}
