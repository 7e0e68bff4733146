/** How an application is pointed at this desk: its address, the lines for each kind of sender, and whether anything came. */
import { Arrivals, type ArrivalsProps } from "../connect/arrivals.tsx";
import { type Address, dsnAt, monitoringUrl } from "../connect/recipe.ts";
import { recipesFor } from "../connect/recipes.ts";
import { type SampleProps, SampleSection } from "../connect/sample.tsx";
import { Way } from "../connect/way.tsx";
import { CopyButton } from "../copy-button.tsx";
import { A, WithSelfTest } from "../place.tsx";

/** What the page is made of. */
export interface ConnectPageProps extends ArrivalsProps, SampleProps {
  readonly address: Address;
}

/** The page at `/connect`. */
export function ConnectPage({ address, arrived, nowMs, ...sample }: ConnectPageProps) {
  const hasKey = address.key !== undefined;
  return (
    <div className="connect-page">
      <header className="page-head">
        <h1>Connect</h1>
        <p>
          One address takes whatever an application reports, and tells the formats apart by looking.
          Choose yours and copy its lines: they have this address in them. The documentation lists
          all <a href="/docs/ingest-formats">ingest formats</a>.
        </p>
      </header>
      <Arrivals arrived={arrived} nowMs={nowMs} />
      <dl className="addresses">
        <div>
          <dt>Address</dt>
          <dd>
            <code>{monitoringUrl(address)}</code>{" "}
            <CopyButton text={monitoringUrl(address)} what="the address" />
          </dd>
        </div>
        {hasKey && (
          <div>
            <dt>DSN</dt>
            <dd>
              <code>{dsnAt(address)}</code> <CopyButton text={dsnAt(address)} what="the DSN" />
            </dd>
          </div>
        )}
      </dl>
      <section aria-labelledby="ways">
        <h2 id="ways">Point something at it</h2>
        <div className="way-list">
          {recipesFor(address).map((recipe) => (
            <Way key={recipe.id} recipe={recipe} hasKey={hasKey} />
          ))}
        </div>
      </section>
      <WithSelfTest>
        <section aria-labelledby="without">
          <h2 id="without">Or look around first</h2>
          <p>
            <A href="/self-test">The self-test</A> fails on purpose in every way a page can fail,
            and leads from the notice to the digest to the error.
          </p>
        </section>
      </WithSelfTest>
      <SampleSection {...sample} />
    </div>
  );
}
