/** One ingest key: its facts, its DSN, and forms to change, rotate and revoke it. */
import type { ReactNode } from "react";
import type { KeyLeak, PublicKey, ServerKey } from "../../core/accounts/registry.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { formatNumber } from "../parts/number.tsx";
import { RelativeTime, UntilTime } from "../parts/time.tsx";
import { toKeyAction } from "../urls/settings-urls.ts";
import { KeyFields } from "./key-fields.tsx";
import { CopyLine } from "./one-time-secret.tsx";
import { SettingsEntry } from "./settings-entry.tsx";
import { ActionCard } from "./settings-section.tsx";

/** A key as pages show it: a public key with its DSN, a server key without its hash. */
export type ListedKey = (PublicKey & { readonly dsn: string }) | Omit<ServerKey, "hash">;

export function IngestKeyEntry({
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

export function PausedBadge() {
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
    <KeyForm action={isPaused ? "resume-key" : "pause-key"} keyId={keyId}>
      <button type="submit" aria-label={name && `${verb} ${name}`}>
        {verb}
      </button>
    </KeyForm>
  );
}

/** States which page sent a server key. `children` is the advice. */
export function KeyLeakWarning({
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
      <KeyForm action="change-key" keyId={key.id}>
        <KeyFields {...key} />
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
      <KeyForm action="rotate-key" keyId={key.id}>
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
      <KeyForm action="revoke-key" keyId={key.id}>
        <button type="submit" className="danger">
          Revoke
        </button>
      </KeyForm>
    </ActionCard>
  );
}

function KeyForm({
  action,
  keyId,
  children,
}: {
  action: string;
  keyId: string;
  children: ReactNode;
}) {
  return (
    <DeskForm requiredRole="owner" method="post" action={toKeyAction(keyId)}>
      <input type="hidden" name="do" value={action} />
      <input type="hidden" name="key" value={keyId} />
      {children}
    </DeskForm>
  );
}
