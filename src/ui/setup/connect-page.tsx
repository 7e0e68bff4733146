/** The page at `/connect`: the ingest URL, a snippet for each integration, the first report. */
import { MCP_PATH } from "../../core/oauth/resources.ts";
import { CopyLine } from "../parts/copy-line.tsx";
import { DeskLink, RequireSelfTest, useDesk } from "../parts/desk-context.tsx";
import { PasskeyReminder } from "../parts/passkey-reminder.tsx";
import { listAgentIntegrations } from "./agent-snippets.ts";
import { FirstReport, type FirstReportProps } from "./first-report.tsx";
import type { IngestAddress } from "./integration.ts";
import { SERVER_KEY_PLACEHOLDER } from "./integration.ts";
import { CreateServerKeyForm, IntegrationTabs } from "./integration-tabs.tsx";
import { listIntegrations } from "./list-integrations.ts";
import { NewServerKey } from "./new-server-key.tsx";
import { SampleSection, type SampleSectionProps } from "./sample-data.tsx";
import { listUploadIntegrations } from "./upload-snippets.ts";

export interface ConnectPageProps
  extends FirstReportProps,
    SampleSectionProps,
    ServerKeySectionProps {
  readonly address: IngestAddress;
  /** True if programs can get tokens by OAuth. */
  readonly hasOAuth: boolean;
  /** The ids of the tabs that were chosen in this browser. */
  readonly chosenTabs: readonly string[];
}

export function ConnectPage(props: ConnectPageProps) {
  const { address, received, nowMs, hasServerKey, ...others } = props;
  const { chosenTabs, hasOAuth, ...sample } = others;
  const hasKey = address.key !== undefined;
  return (
    <div className="connect-page" data-tabs="">
      <PasskeyReminder />
      <FirstReport received={received} nowMs={nowMs} />
      <section aria-labelledby="integrations">
        <h2 id="integrations">Integrations</h2>
        <IntegrationTabs
          name="Integration"
          integrations={listIntegrations(address)}
          chosenTabs={chosenTabs}
          hasPublicKey={hasKey}
        />
      </section>
      <ServerKeySection address={address} hasServerKey={hasServerKey} />
      <SourceMapSection address={address} chosenTabs={chosenTabs} />
      <AgentSection address={address} chosenTabs={chosenTabs} hasOAuth={hasOAuth} />
      <section aria-labelledby="alerts">
        <h2 id="alerts">Alerts</h2>
        <p>
          New and regressed issues appear in the <DeskLink href="/alerts">inbox</DeskLink>. Add
          Slack, Discord, Teams, email or a webhook in the{" "}
          <DeskLink href="/settings/alerts#destinations">alert settings</DeskLink>. See also{" "}
          <a href="/docs/alerts">alerts</a>.
        </p>
      </section>
      <RequireSelfTest>
        <section aria-labelledby="self-test">
          <h2 id="self-test">Self-test</h2>
          <p>
            <DeskLink href="/self-test">The self-test</DeskLink> triggers every kind of failure, so
            that you can follow it from the notice to the digest, and from there to the error.
          </p>
        </section>
      </RequireSelfTest>
      <SampleSection {...sample} />
    </div>
  );
}

function SourceMapSection({
  address,
  chosenTabs,
}: Pick<ConnectPageProps, "address" | "chosenTabs">) {
  const { base } = useDesk();
  return (
    <section aria-labelledby="source-maps">
      <h2 id="source-maps">Source maps</h2>
      <p>
        Upload the maps of a build, and minified stacks show the original source. Create a token
        with the role “Upload only” in <DeskLink href="/settings#tokens">settings</DeskLink> and
        give it to the build as <code>SENTRY_AUTH_TOKEN</code>. See also{" "}
        <a href="/docs/source-maps">source maps</a>.
      </p>
      <IntegrationTabs
        name="Build tool"
        integrations={listUploadIntegrations(address, base)}
        chosenTabs={chosenTabs}
        hasPublicKey
      />
    </section>
  );
}

function AgentSection({
  address,
  chosenTabs,
  hasOAuth,
}: Pick<ConnectPageProps, "address" | "chosenTabs" | "hasOAuth">) {
  const { base } = useDesk();
  return (
    <section aria-labelledby="agents">
      <h2 id="agents">Agents</h2>
      {hasOAuth && (
        <>
          <p>
            Coding agents look up issues and fix them. With OAuth: the URL alone. The agent opens
            the browser, and you allow it.
          </p>
          <CopyLine text={`${address.origin}${base}${MCP_PATH}`} copyLabel="the URL of MCP" />
        </>
      )}
      <p>
        {hasOAuth
          ? "Without OAuth, create a token in"
          : "Coding agents look up issues and fix them. Create a token in"}{" "}
        <DeskLink href="/settings#tokens">settings</DeskLink> and give it to the agent as{" "}
        <code>ERRATA_TOKEN</code>. See also <a href="/docs/mcp">MCP</a>.
      </p>
      <IntegrationTabs
        name="Agent"
        integrations={listAgentIntegrations(address.origin, base)}
        chosenTabs={chosenTabs}
        hasPublicKey
      />
    </section>
  );
}

interface ServerKeySectionProps {
  readonly address: IngestAddress;
  /** True if the project has a server key; undefined if that is unknown. */
  readonly hasServerKey: boolean | undefined;
}

function ServerKeySection({ address, hasServerKey }: ServerKeySectionProps) {
  const { origin, project, serverKey } = address;
  return (
    <section aria-labelledby="server-key">
      <h2 id="server-key">Server key</h2>
      <p>
        Servers send reports with a server key, so that Errata can distinguish them from reports of
        strangers. Code for servers has it in place of <code>{SERVER_KEY_PLACEHOLDER}</code>. It is
        a secret: keep it out of pages and repositories.
      </p>
      {serverKey === undefined ? (
        <>
          <p>
            {hasServerKey === true
              ? "This project has a server key, which was shown once. If you do not have it, create another."
              : "A server key is shown once, when it is created."}{" "}
            Owners manage keys in <DeskLink href="/settings#keys">settings</DeskLink>.
          </p>
          <CreateServerKeyForm tab="server-key" />
        </>
      ) : (
        <NewServerKey origin={origin} project={project} serverKey={serverKey} />
      )}
    </section>
  );
}
