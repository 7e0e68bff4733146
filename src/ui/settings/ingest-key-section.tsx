/** The ingest keys of a project: what each may, and how it is changed, rotated and revoked. */
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

/** What the section is made of. */
export interface IngestKeysProps {
  readonly keys: readonly ListedKey[];
  /** The key of the configuration (`ERRATA_KEY`), which belongs to the first project and is changed by a deployment. */
  readonly configKey?: string | undefined;
  /** `https://errata.example`. */
  readonly origin: string;
  readonly nowMs: number;
}

type ListedKey = IngestKey & { readonly dsn: string };

/** Forms lead back to the section that they are in. */
const ACTION = "/settings#keys";

/** The section. */
export function IngestKeys({ keys, configKey, origin, nowMs }: IngestKeysProps) {
  const isEmpty = keys.length === 0 && configKey === undefined;
  return (
    <SettingsSection
      id="keys"
      name="Ingest keys"
      description="By these applications report here. A key is public by nature: it stands in pages, and lets nobody read anything."
    >
      {isEmpty && <p className="muted">No key yet: this project takes no reports.</p>}
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
          <summary>Add a key</summary>
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

/** The key of the configuration: it is good whatever becomes of the registry. */
function ConfigKey({ dsn }: { dsn: string }) {
  return (
    <SettingsEntry
      name={<code>ERRATA_KEY</code>}
      facts={["All origins", "no limit of its own", "set by the deployment, and changed there"]}
    >
      <CopyLine text={dsn} copyLabel="the DSN of ERRATA_KEY" />
    </SettingsEntry>
  );
}

function IngestKeyEntry({ ingestKey: key, nowMs }: { ingestKey: ListedKey; nowMs: number }) {
  const { name, dsn, expiresMs, createdMs } = key;
  const hasEnded = expiresMs !== undefined && expiresMs <= nowMs;
  return (
    <SettingsEntry
      name={<bdi>{name}</bdi>}
      badge={
        expiresMs !== undefined && (
          <span className="badge">
            {hasEnded ? "ended " : "good until "}
            <UntilTime atMs={expiresMs} nowMs={nowMs} />
          </span>
        )
      }
      facts={[
        formatOrigins(key),
        key.perMinute === undefined
          ? "no limit of its own"
          : `${formatNumber(key.perMinute)} requests a minute`,
        <>
          made <RelativeTime atMs={createdMs} nowMs={nowMs} />
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
          {!hasEnded && <RotateKeyForm ingestKey={key} />}
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
      description="Its name, its origins and its rate. The key itself stays as it is."
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
      description="A new key with the same terms takes its place. This one stays good for a while, so that what is deployed with it goes on reporting."
    >
      <KeyForm action="rotate-key" of={key}>
        <label>
          <span>The old key stays good for</span>
          <select name="overlapHours" defaultValue="24">
            <option value="1">an hour</option>
            <option value="24">a day</option>
            <option value="168">a week</option>
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
      description="Within a minute nothing is taken by it any more, anywhere: senders are answered 401. It cannot be had again."
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
