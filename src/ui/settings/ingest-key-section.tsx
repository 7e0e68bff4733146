/** The ingest keys of a project, with forms to add, change, rotate and revoke them. */
import type { ReactNode } from "react";
import { FIRST_PROJECT_ID, type IngestKey } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { formatNumber } from "../parts/number.tsx";
import { RelativeTime, UntilTime } from "../parts/time.tsx";
import { toDsn } from "../setup/integration.ts";
import { SettingsEntry } from "./entry.tsx";
import { KeyFields } from "./key-fields.tsx";
import { CopyLine } from "./one-time-secret.tsx";
import { ActionCard, SettingsSection } from "./section.tsx";

/** Props of the section. */
export interface IngestKeysProps {
  readonly keys: readonly ListedKey[];
  /** `ERRATA_KEY` of the configuration. It belongs to the first project. */
  readonly configKey?: string | undefined;
  /** `https://errata.example`. */
  readonly origin: string;
  readonly nowMs: number;
}

type ListedKey = IngestKey & { readonly dsn: string };

/** Forms return to their section. */
const ACTION = "/settings#keys";

/** The section. */
export function IngestKeys({ keys, configKey, origin, nowMs }: IngestKeysProps) {
  const isEmpty = keys.length === 0 && configKey === undefined;
  return (
    <SettingsSection
      id="keys"
      name="Ingest keys"
      description="Applications use these keys to send reports. Keys are public: they only allow sending, never reading."
    >
      {isEmpty && <p className="muted">No keys yet. Add one to receive reports.</p>}
      <ul className="entries">
        {configKey !== undefined && (
          <ConfigKey dsn={toDsn({ origin, project: FIRST_PROJECT_ID, key: configKey })} />
        )}
        {keys.map((key) => (
          <IngestKeyEntry key={key.id} ingestKey={key} nowMs={nowMs} />
        ))}
      </ul>
      {keys.length < limits.maxKeysPerProject && (
        <details className="add-form" open={isEmpty}>
          <summary>Add key</summary>
          <DeskForm requiredRole="owner" method="post" action={ACTION} className="form-stack">
            <input type="hidden" name="do" value="add-key" />
            <KeyFields />
            <button type="submit" id="add-key">
              Add key
            </button>
          </DeskForm>
        </details>
      )}
    </SettingsSection>
  );
}

/** The key of the configuration. It works without the registry. */
function ConfigKey({ dsn }: { dsn: string }) {
  return (
    <SettingsEntry
      name={<code>ERRATA_KEY</code>}
      facts={["All origins", "no rate limit", "set by the deployment"]}
    >
      <CopyLine text={dsn} copyLabel="the DSN of ERRATA_KEY" />
    </SettingsEntry>
  );
}

function IngestKeyEntry({ ingestKey: key, nowMs }: { ingestKey: ListedKey; nowMs: number }) {
  const { name, dsn, expiresMs, createdMs } = key;
  const isExpired = expiresMs !== undefined && expiresMs <= nowMs;
  return (
    <SettingsEntry
      name={<bdi>{name}</bdi>}
      badge={
        expiresMs !== undefined && (
          <span className="badge">
            {isExpired ? "expired " : "expires "}
            <UntilTime atMs={expiresMs} nowMs={nowMs} />
          </span>
        )
      }
      facts={[
        formatOrigins(key),
        key.perMinute === undefined
          ? "no rate limit"
          : `${formatNumber(key.perMinute)} requests per minute`,
        <>
          created <RelativeTime atMs={createdMs} nowMs={nowMs} />
        </>,
      ]}
    >
      <CopyLine text={dsn} copyLabel={`the DSN of the key ${name}`} />
      <details className="entry-details">
        <summary>
          Change, rotate or revoke<span className="visually-hidden"> {name}</span>
        </summary>
        <div className="action-cards">
          <ChangeKeyForm ingestKey={key} />
          {!isExpired && <RotateKeyForm ingestKey={key} />}
          <RevokeKeyForm ingestKey={key} />
        </div>
      </details>
    </SettingsEntry>
  );
}

function formatOrigins({ origins }: ListedKey) {
  if (origins.length === 0) return "All origins";
  return <bdi>{origins.join(", ")}</bdi>;
}

function ChangeKeyForm({ ingestKey: key }: { ingestKey: ListedKey }) {
  return (
    <ActionCard
      name="Change"
      description="Name, allowed origins and rate limit. The key itself stays the same."
    >
      <KeyForm action="change-key" of={key}>
        <KeyFields ingestKey={key} />
        <button type="submit">Save</button>
      </KeyForm>
    </ActionCard>
  );
}

function RotateKeyForm({ ingestKey: key }: { ingestKey: ListedKey }) {
  return (
    <ActionCard
      name="Rotate"
      description="Creates a new key with the same settings. The old key keeps working during the overlap, so that you can deploy the new one."
    >
      <KeyForm action="rotate-key" of={key}>
        <label>
          <span>Overlap</span>
          <select name="overlapHours" defaultValue="24">
            <option value="1">1 hour</option>
            <option value="24">1 day</option>
            <option value="168">7 days</option>
            <option value="720">30 days</option>
          </select>
        </label>
        <button type="submit">Rotate</button>
      </KeyForm>
    </ActionCard>
  );
}

function RevokeKeyForm({ ingestKey: key }: { ingestKey: ListedKey }) {
  return (
    <ActionCard
      name="Revoke"
      description="The key stops working within a minute (senders get 401). This cannot be undone."
    >
      <KeyForm action="revoke-key" of={key}>
        <button type="submit" className="danger">
          Revoke
        </button>
      </KeyForm>
    </ActionCard>
  );
}

function KeyForm(props: { action: string; of: ListedKey; children: ReactNode }) {
  return (
    <DeskForm requiredRole="owner" method="post" action={ACTION}>
      <input type="hidden" name="do" value={props.action} />
      <input type="hidden" name="key" value={props.of.id} />
      {props.children}
    </DeskForm>
  );
}
