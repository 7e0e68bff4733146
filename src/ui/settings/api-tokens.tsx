/** API tokens: what programs enter by. */
import { use } from "react";
import type { ApiToken, Role } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskForm, useDesk } from "../parts/desk-context.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime, UntilTime } from "../parts/time.tsx";
import { SettingsEntry } from "./entry.tsx";
import { CopyLine, type IssuedSecrets, OneTimeSecret } from "./one-time-secret.tsx";
import { formatRole, RoleSelect } from "./role-select.tsx";
import { SettingsSection } from "./section.tsx";

/** What the section is made of. */
export interface ApiTokensProps {
  readonly tokens: readonly Omit<ApiToken, "hash">[];
  /** When each token was last used, by its id. */
  readonly lastUsed: Promise<Readonly<Record<string, number>>>;
  readonly issuedSecrets?: IssuedSecrets | undefined;
  /** `https://errata.example`. */
  readonly origin: string;
  readonly nowMs: number;
}

/** Forms lead back to the section that they are in. */
const ACTION = "/settings#tokens";

/** What a program may with each role: settings are for people alone. */
const ROLE_LABELS: Readonly<Record<Role, string>> = {
  viewer: "Viewer: reads",
  member: "Member: also decides",
  owner: "Owner: also exports and erases",
};

/** The section. */
export function ApiTokens({ tokens, lastUsed, issuedSecrets, origin, nowMs }: ApiTokensProps) {
  const { base } = useDesk();
  const token = issuedSecrets?.action === "add-token" ? issuedSecrets.secrets[0] : undefined;
  return (
    <SettingsSection
      id="tokens"
      name="API tokens"
      description="By these programs read and decide, in this project alone. No token changes settings or makes another one."
    >
      {token !== undefined && (
        <OneTimeSecret
          name="The token"
          hint="Copy it now: only its hash is kept, and nobody can show it again."
          text={token}
          copyLabel="the token"
        >
          <p>It asks for the newest issues like this:</p>
          <CopyLine
            text={`curl -H 'Authorization: Bearer ${token}' ${origin}${base}/issues.json`}
            copyLabel="the line for a terminal"
          />
        </OneTimeSecret>
      )}
      {tokens.length === 0 ? (
        <p className="muted">No tokens yet.</p>
      ) : (
        <Boundary name="tokens" loading={<Skeleton shape="receipt" label="the tokens" />}>
          <TokenList tokens={tokens} lastUsed={lastUsed} nowMs={nowMs} />
        </Boundary>
      )}
      {tokens.length < limits.maxTokensPerProject && <NewTokenForm />}
    </SettingsSection>
  );
}

function TokenList({
  tokens,
  lastUsed: uses,
  nowMs,
}: Pick<ApiTokensProps, "tokens" | "lastUsed" | "nowMs">) {
  const lastUsed = use(uses);
  return (
    <ul className="entries">
      {tokens.map(({ id, name, role, by, createdMs, expiresMs }) => {
        const usedMs = lastUsed[id];
        const hasEnded = expiresMs !== undefined && expiresMs <= nowMs;
        return (
          <SettingsEntry
            key={id}
            name={<bdi>{name}</bdi>}
            badge={hasEnded && <span className="badge">ended</span>}
            facts={[
              formatRole(role),
              usedMs === undefined ? (
                "not used yet"
              ) : (
                <>
                  last used <RelativeTime atMs={usedMs} nowMs={nowMs} />
                </>
              ),
              expiresMs === undefined ? (
                "good until it is revoked"
              ) : (
                <>
                  {hasEnded ? "ended " : "good until "}
                  <UntilTime atMs={expiresMs} nowMs={nowMs} />
                </>
              ),
              <>
                made <RelativeTime atMs={createdMs} nowMs={nowMs} />
                {by !== "" && (
                  <>
                    {" "}
                    by <bdi>{by}</bdi>
                  </>
                )}
              </>,
            ]}
          >
            <DeskForm requiredRole="owner" method="post" action={ACTION} className="entry-actions">
              <input type="hidden" name="do" value="revoke-token" />
              <input type="hidden" name="token" value={id} />
              <button type="submit" className="danger" aria-label={`Revoke ${name}`}>
                Revoke
              </button>
            </DeskForm>
          </SettingsEntry>
        );
      })}
    </ul>
  );
}

function NewTokenForm() {
  return (
    <details className="add-form">
      <summary>Make a token</summary>
      <DeskForm requiredRole="owner" method="post" action={ACTION} className="form-stack">
        <input type="hidden" name="do" value="add-token" />
        <label>
          <span>Name: what uses it</span>
          <input
            name="name"
            type="text"
            required
            maxLength={limits.maxProjectNameChars}
            placeholder="Nightly report"
            autoComplete="off"
            dir="auto"
          />
        </label>
        <RoleSelect selected="viewer" label="Role" labels={ROLE_LABELS} />
        <label>
          <span>Good for</span>
          <select name="expiresInDays" defaultValue="90">
            <option value="7">7 days</option>
            <option value="30">30 days</option>
            <option value="90">90 days</option>
            <option value="365">a year</option>
            <option value="">until it is revoked</option>
          </select>
        </label>
        <button type="submit" id="add-token">
          Make token
        </button>
      </DeskForm>
    </details>
  );
}
