/** The ingest keys of a project, with forms to add, change, rotate, pause and revoke them. */
import type { ReactNode } from "react";
import { CONFIGURED_KEY_ID } from "../../core/accounts/ingest-keys.ts";
import { FIRST_PROJECT_ID } from "../../core/accounts/project-path.ts";
import {
  type IngestKey,
  KEY_RATES,
  type KeyLeak,
  type Project,
  type PublicKey,
  type ServerKey,
} from "../../core/accounts/registry.ts";
import type { RegistryChangeName } from "../../core/accounts/registry-changes.ts";
import { limits } from "../../core/limits.ts";
import { CopyLine } from "../parts/copy-line.tsx";
import { formatNumber } from "../parts/number.tsx";
import type { IssuedSecrets } from "../parts/one-time-secret.tsx";
import { RelativeTime, UntilTime } from "../parts/time.tsx";
import { toDsn } from "../setup/integration.ts";
import { NewServerKey } from "../setup/new-server-key.tsx";
import { toKeySection } from "../urls/settings-urls.ts";
import { ChangeForm, ChangeNameField } from "./change-form.tsx";
import { SettingsEntry } from "./settings-entry.tsx";
import { ActionCard, SettingsSection } from "./settings-section.tsx";

/** A key as pages show it: a public key with its DSN, a server key without its hash. */
export type ListedKey = (PublicKey & { readonly dsn: string }) | Omit<ServerKey, "hash">;

export interface IngestKeysProps {
  readonly project: Pick<Project, "id" | "pausedKeys">;
  readonly keys: readonly ListedKey[];
  /** `ERRATA_KEY` of the configuration. It belongs to the first project. */
  readonly configKey?: string | undefined;
  /** Set if the configuration has `ERRATA_SERVER_KEY`, which also belongs to the first project. */
  readonly configServerKey?: { readonly leak?: KeyLeak | undefined } | undefined;
  readonly issuedSecrets?: IssuedSecrets | undefined;
  /** `https://errata.example`. */
  readonly origin: string;
  readonly nowMs: number;
}

export function IngestKeys(props: IngestKeysProps) {
  const { project, keys, configKey, configServerKey, issuedSecrets, origin, nowMs } = props;
  const { pausedKeys = [] } = project;
  const isEmpty = keys.length + Number(configKey !== undefined) + Number(!!configServerKey) === 0;
  const isKeyIssued = issuedSecrets?.change === "add-key" || issuedSecrets?.change === "rotate-key";
  const serverKey = isKeyIssued ? issuedSecrets.secrets[0] : undefined;
  return (
    <SettingsSection
      id="keys"
      name="Ingest keys"
      description="Applications use these keys to send reports. Pages contain public keys, so everyone can read them. Server keys are secret, and their reports have priority. Keys never allow reading."
    >
      {serverKey !== undefined && (
        <NewServerKey origin={origin} project={project.id} serverKey={serverKey} />
      )}
      {isEmpty && <p className="muted">No keys yet. Add one to receive reports.</p>}
      <ul className="entries">
        {configKey !== undefined && (
          <ConfigKey
            dsn={toDsn({ origin, project: FIRST_PROJECT_ID, key: configKey })}
            isPaused={pausedKeys.includes(CONFIGURED_KEY_ID)}
          />
        )}
        {configServerKey && <ConfigServerKey leak={configServerKey.leak} nowMs={nowMs} />}
        {keys.map((key) => (
          <IngestKeyEntry
            key={key.id}
            ingestKey={key}
            isPaused={pausedKeys.includes(key.id)}
            nowMs={nowMs}
          />
        ))}
      </ul>
      {keys.length < limits.maxKeysPerProject && (
        <>
          <NewKeyForm kind="public" isOpen={isEmpty} />
          <NewKeyForm kind="server" />
        </>
      )}
    </SettingsSection>
  );
}

/** The public key of the configuration. It works without the registry. */
function ConfigKey({ dsn, isPaused }: { dsn: string; isPaused: boolean }) {
  return (
    <SettingsEntry
      name={<code>ERRATA_KEY</code>}
      badge={isPaused && <PausedBadge />}
      facts={["Public key", "all origins", "no rate limit", "set by the deployment"]}
    >
      <CopyLine text={dsn} copyLabel="the DSN of ERRATA_KEY" />
      <PauseKeyForm keyId={CONFIGURED_KEY_ID} isPaused={isPaused} name="ERRATA_KEY" />
    </SettingsEntry>
  );
}

/** The server key of the configuration. */
function ConfigServerKey({ leak, nowMs }: { leak?: KeyLeak | undefined; nowMs: number }) {
  return (
    <SettingsEntry
      name={<code>ERRATA_SERVER_KEY</code>}
      facts={["Server key", "no rate limit", "set by the deployment"]}
    >
      {leak && (
        <KeyLeakWarning {...leak} nowMs={nowMs}>
          Set ERRATA_SERVER_KEY to a new key.
        </KeyLeakWarning>
      )}
    </SettingsEntry>
  );
}

function NewKeyForm({ kind, isOpen }: { kind: IngestKey["kind"]; isOpen?: boolean }) {
  return (
    <details className="add-form" open={isOpen}>
      <summary>Add {kind} key</summary>
      <ChangeForm change="add-key" section="keys" className="form-stack">
        <input type="hidden" name="kind" value={kind} />
        <KeyFields change="add-key" kind={kind} />
        <button type="submit" id={`add-${kind}-key`}>
          Add {kind} key
        </button>
      </ChangeForm>
    </details>
  );
}

function IngestKeyEntry({
  ingestKey: key,
  isPaused,
  nowMs,
}: {
  ingestKey: ListedKey;
  isPaused: boolean;
  nowMs: number;
}) {
  const { name, expiresMs, createdMs } = key;
  const isExpired = expiresMs !== undefined && expiresMs <= nowMs;
  return (
    <SettingsEntry
      name={<bdi>{name}</bdi>}
      badge={
        <>
          {isPaused && <PausedBadge />}
          {expiresMs !== undefined && (
            <span className="badge">
              {isExpired ? "expired " : "expires "}
              <UntilTime atMs={expiresMs} nowMs={nowMs} />
            </span>
          )}
        </>
      }
      facts={[
        ...describeKind(key),
        key.perMinute === undefined
          ? "no rate limit"
          : `${formatNumber(key.perMinute)} reports per minute`,
        <>
          created <RelativeTime atMs={createdMs} nowMs={nowMs} />
        </>,
      ]}
    >
      {key.kind === "public" ? (
        <CopyLine text={key.dsn} copyLabel={`the DSN of the key ${name}`} />
      ) : (
        key.leakedMs !== undefined && (
          <KeyLeakWarning leakedMs={key.leakedMs} leakedOrigin={key.leakedOrigin} nowMs={nowMs}>
            Rotate it.
          </KeyLeakWarning>
        )
      )}
      <details className="entry-details">
        <summary>
          {key.kind === "public" ? "Change, rotate, pause or revoke" : "Change, rotate or revoke"}
          <span className="visually-hidden"> {name}</span>
        </summary>
        <div className="action-cards">
          <ChangeKeyForm ingestKey={key} />
          {!isExpired && <RotateKeyForm ingestKey={key} />}
          {key.kind === "public" && (
            <ActionCard name={isPaused ? "Resume" : "Pause"} description={PAUSE_DESCRIPTION}>
              <PauseKeyForm keyId={key.id} isPaused={isPaused} />
            </ActionCard>
          )}
          <RevokeKeyForm ingestKey={key} />
        </div>
      </details>
    </SettingsEntry>
  );
}

const PAUSE_DESCRIPTION =
  "Errata refuses reports with a paused key (senders get 403) and counts them. You can resume it at any time.";

function PausedBadge() {
  return <span className="badge">paused</span>;
}

/** Pauses or resumes a public key. `name` is for screen readers, outside an entry of the key. */
export function PauseKeyForm({
  keyId,
  isPaused,
  name,
}: {
  keyId: string;
  isPaused: boolean;
  name?: string;
}) {
  const verb = isPaused ? "Resume" : "Pause";
  return (
    <KeyForm change={isPaused ? "resume-key" : "pause-key"} keyId={keyId}>
      <button type="submit" aria-label={name && `${verb} ${name}`}>
        {verb}
      </button>
    </KeyForm>
  );
}

/** States which page sent a server key. `children` is the advice. */
function KeyLeakWarning({
  leakedMs,
  leakedOrigin,
  nowMs,
  children,
}: {
  leakedMs: KeyLeak["leakedMs"];
  leakedOrigin: KeyLeak["leakedOrigin"] | undefined;
  nowMs: number;
  children: ReactNode;
}) {
  return (
    <p className="key-leak">
      <b>Leaked.</b> A browser sent this key from <bdi>{leakedOrigin}</bdi>{" "}
      <RelativeTime atMs={leakedMs} nowMs={nowMs} />. Everyone who opens that page can read the key
      and send reports as your server. Remove it from the page. {children}
    </p>
  );
}

function describeKind(key: ListedKey): readonly ReactNode[] {
  if (key.kind === "server") return ["Server key"];
  const origins = key.origins.join(", ");
  return ["Public key", origins === "" ? "all origins" : <bdi key="origins">{origins}</bdi>];
}

function ChangeKeyForm({ ingestKey: key }: { ingestKey: ListedKey }) {
  const facts = key.kind === "public" ? "Name, allowed origins" : "Name";
  return (
    <ActionCard
      name="Change"
      description={`${facts} and rate limit. The key itself stays the same.`}
    >
      <KeyForm change="change-key" keyId={key.id}>
        <KeyFields change="change-key" {...key} />
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
      <KeyForm change="rotate-key" keyId={key.id}>
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
      description="The key stops working within a minute (senders get 401)."
    >
      <KeyForm change="revoke-key" keyId={key.id}>
        <button type="submit" className="danger">
          Revoke
        </button>
      </KeyForm>
    </ActionCard>
  );
}

function KeyForm({
  change,
  keyId,
  children,
}: {
  change: RegistryChangeName;
  keyId: string;
  children: ReactNode;
}) {
  return (
    <ChangeForm change={change} section={toKeySection(keyId)}>
      <input type="hidden" name="key" value={keyId} />
      {children}
    </ChangeForm>
  );
}

/** A key to fill in, if there is one, and the change that the fields are for. */
interface KeyFieldsProps extends Partial<Pick<IngestKey, "name" | "perMinute">> {
  readonly change: RegistryChangeName;
  readonly kind: IngestKey["kind"];
  readonly origins?: readonly string[];
}

/** The fields, filled in from the props of a key or empty. */
function KeyFields({ change, kind, name, origins = [], perMinute }: KeyFieldsProps) {
  const isPublic = kind === "public";
  return (
    <>
      <ChangeNameField
        change={change}
        defaultValue={name}
        placeholder={isPublic ? "Web shop" : "Shop server"}
      />
      {isPublic && (
        <label>
          <span>
            Allowed origins, one per line. Leave empty to allow all. Servers are always allowed.
          </span>
          <textarea
            name="origins"
            rows={2}
            defaultValue={origins.join("\n")}
            placeholder={"https://shop.example\nhttps://*.shop.example"}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
      )}
      <label>
        <span>Rate limit, per Cloudflare location</span>
        <select name="perMinute" defaultValue={perMinute ?? ""}>
          <option value="">No limit</option>
          {KEY_RATES.map((rate) => (
            <option key={rate} value={rate}>
              {formatNumber(rate)} reports per minute
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
