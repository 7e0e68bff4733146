/** The ingest keys of a project, with forms to add them. `ingest-key-entry.tsx` has the entries. */
import { CONFIGURED_KEY_ID } from "../../core/accounts/ingest-keys.ts";
import {
  FIRST_PROJECT_ID,
  type IngestKey,
  type KeyLeak,
  type Project,
} from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { toDsn, toServerUrl } from "../setup/integration.ts";
import { KEYS_ACTION } from "../urls/settings-urls.ts";
import {
  IngestKeyEntry,
  KeyLeakWarning,
  type ListedKey,
  PausedBadge,
  PauseKeyForm,
} from "./ingest-key-entry.tsx";
import { KeyFields } from "./key-fields.tsx";
import { CopyLine, type IssuedSecrets, OneTimeSecret } from "./one-time-secret.tsx";
import { SettingsEntry } from "./settings-entry.tsx";
import { SettingsSection } from "./settings-section.tsx";

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
  const isKeyIssued = issuedSecrets?.action === "add-key" || issuedSecrets?.action === "rotate-key";
  const serverKey = isKeyIssued ? issuedSecrets.secrets[0] : undefined;
  return (
    <SettingsSection
      id="keys"
      name="Ingest keys"
      description="Applications use these keys to send reports. Pages contain public keys, so everyone can read them. Server keys are secret, and their reports have priority. Keys never allow reading."
    >
      {serverKey !== undefined && (
        <OneTimeSecret
          name="New server key"
          hint="Copy the DSN now. It will not be shown again. Store it as a secret on your server. Pages must not contain it."
          text={toDsn({ origin, project: project.id, key: serverKey })}
          copyLabel="the DSN of the new server key"
        >
          <p>ERRATA_URL, for hooks such as onRequestError:</p>
          <CopyLine text={toServerUrl(origin, serverKey)} copyLabel="the URL with the key" />
          <p>Only the key, for OpenTelemetry:</p>
          <CopyLine text={serverKey} copyLabel="the key" />
        </OneTimeSecret>
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
      <DeskForm requiredRole="owner" method="post" action={KEYS_ACTION} className="form-stack">
        <input type="hidden" name="do" value="add-key" />
        <input type="hidden" name="kind" value={kind} />
        <KeyFields kind={kind} />
        <button type="submit" id={`add-${kind}-key`}>
          Add {kind} key
        </button>
      </DeskForm>
    </details>
  );
}
