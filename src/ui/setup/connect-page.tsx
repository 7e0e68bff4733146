/** How an application is pointed at this desk: its address, the lines for each kind of sender, and whether anything came. */

import { CopyButton } from "../parts/copy-button.tsx";
import { DeskLink, RequireSelfTest } from "../parts/desk-context.tsx";
import { FirstReport, type FirstReportProps } from "./first-report.tsx";
import { type IngestAddress, toDsn, toMonitoringUrl } from "./integration.ts";
import { IntegrationCard } from "./integration-card.tsx";
import { listIntegrations } from "./integrations.ts";
import { SampleSection, type SampleSectionProps } from "./sample-data.tsx";

/** What the page is made of. */
export interface ConnectPageProps extends FirstReportProps, SampleSectionProps {
  readonly address: IngestAddress;
}

/** The page at `/connect`. */
export function ConnectPage({ address, received, nowMs, ...sample }: ConnectPageProps) {
  const hasKey = address.key !== undefined;
  return (
    <div className="connect-page">
      <header className="page-header">
        <h1>Connect</h1>
        <p>
          One address takes whatever an application reports, and tells the formats apart by looking.
          Choose yours and copy its lines: they have this address in them. The documentation lists
          all <a href="/docs/ingest-formats">ingest formats</a>.
        </p>
      </header>
      <FirstReport received={received} nowMs={nowMs} />
      <dl className="addresses">
        <div>
          <dt>Address</dt>
          <dd>
            <code>{toMonitoringUrl(address)}</code>{" "}
            <CopyButton text={toMonitoringUrl(address)} label="the address" />
          </dd>
        </div>
        {hasKey && (
          <div>
            <dt>DSN</dt>
            <dd>
              <code>{toDsn(address)}</code> <CopyButton text={toDsn(address)} label="the DSN" />
            </dd>
          </div>
        )}
      </dl>
      <section aria-labelledby="integrations">
        <h2 id="integrations">Point something at it</h2>
        <div className="integration-list">
          {listIntegrations(address).map((recipe) => (
            <IntegrationCard key={recipe.id} integration={recipe} hasKey={hasKey} />
          ))}
        </div>
      </section>
      <RequireSelfTest>
        <section aria-labelledby="self-test">
          <h2 id="self-test">Or look around first</h2>
          <p>
            <DeskLink href="/self-test">The self-test</DeskLink> fails on purpose in every way a
            page can fail, and leads from the notice to the digest to the error.
          </p>
        </section>
      </RequireSelfTest>
      <SampleSection {...sample} />
    </div>
  );
}
