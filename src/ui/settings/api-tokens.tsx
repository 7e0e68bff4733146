/** The API tokens of a project. */
import { use } from "react";
import { API_PATH } from "../../core/accounts/project-path.ts";
import type { ApiToken, Project } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { UPLOAD_TOKEN_PREFIX } from "../../core/scrubbing/own-secrets.ts";
import { Boundary } from "../failure/boundary.tsx";
import { CopyLine } from "../parts/copy-line.tsx";
import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import { type IssuedSecrets, OneTimeSecret } from "../parts/one-time-secret.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime, UntilTime } from "../parts/time.tsx";
import {
  createCurlUpload,
  createUploadVariables,
  type UploadAddress,
} from "../setup/upload-snippets.ts";
import { ChangeForm, ChangeNameField } from "./change-form.tsx";
import { formatRole, TokenRoleSelect } from "./role-select.tsx";
import { CreatedFact, SettingsEntry } from "./settings-entry.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { describeReadText, TrustSelect } from "./trust-select.tsx";

export interface ApiTokensProps {
  readonly tokens: readonly Omit<ApiToken, "hash">[];
  /** When each token was last used, by its id. */
  readonly lastUsed: Promise<Readonly<Record<string, number>>>;
  readonly issuedSecrets?: IssuedSecrets | undefined;
  /** `https://errata.example`. */
  readonly origin: string;
  readonly project: Pick<Project, "id">;
  /** The person who sees the page; absent for local access. */
  readonly personId?: string | undefined;
  readonly nowMs: number;
}

export function ApiTokens({
  tokens,
  lastUsed,
  issuedSecrets,
  origin,
  project,
  personId,
  nowMs,
}: ApiTokensProps) {
  const { base } = useDesk();
  const token = issuedSecrets?.change === "add-token" ? issuedSecrets.secrets[0] : undefined;
  return (
    <SettingsSection
      id="tokens"
      name="API tokens"
      description="For programs: the API, the command errata, coding agents, and uploads of source maps. No token can decide who has access: invite people, set roles, or create tokens."
    >
      {token?.startsWith(UPLOAD_TOKEN_PREFIX) && (
        <NewUploadToken token={token} address={{ origin, project: project.id }} />
      )}
      {token !== undefined && !token.startsWith(UPLOAD_TOKEN_PREFIX) && (
        <OneTimeSecret
          name="New token"
          hint="Copy it now. It will not be shown again."
          text={token}
          copyLabel="the token"
        >
          <p>Example request:</p>
          <CopyLine
            text={`curl -H 'Authorization: Bearer ${token}' ${origin}${base}${API_PATH}/issues`}
            copyLabel="the command"
          />
        </OneTimeSecret>
      )}
      {tokens.length === 0 ? (
        <p className="muted">No tokens yet.</p>
      ) : (
        <Boundary name="tokens" loading={<Skeleton shape="text" label="tokens" />}>
          <TokenList tokens={tokens} lastUsed={lastUsed} nowMs={nowMs} />
        </Boundary>
      )}
      {tokens.length < limits.maxTokensPerProject && (
        <NewTokenForm hasPerson={personId !== undefined} />
      )}
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
      {tokens.map((token) => {
        const { id, name, role, by, createdMs, expiresMs } = token;
        const usedMs = lastUsed[id];
        const isExpired = expiresMs !== undefined && expiresMs <= nowMs;
        return (
          <SettingsEntry
            key={id}
            name={<bdi>{name}</bdi>}
            badge={isExpired && <span className="badge">expired</span>}
            facts={[
              formatRole(role),
              ...describeReach(token),
              usedMs === undefined ? (
                "never used"
              ) : (
                <>
                  last used <RelativeTime atMs={usedMs} nowMs={nowMs} />
                </>
              ),
              expiresMs === undefined ? (
                "no expiry"
              ) : (
                <>
                  {isExpired ? "expired " : "expires "}
                  <UntilTime atMs={expiresMs} nowMs={nowMs} />
                </>
              ),
              <CreatedFact key="created" atMs={createdMs} by={by} nowMs={nowMs} />,
            ]}
          >
            <ChangeForm change="revoke-token" section="tokens" className="entry-actions">
              <input type="hidden" name="token" value={id} />
              <button type="submit" className="danger" aria-label={`Revoke ${name}`}>
                Revoke
              </button>
            </ChangeForm>
          </SettingsEntry>
        );
      })}
    </ul>
  );
}

/** The projects of a token, and the text that it reads, after its role. */
function describeReach({ role, by, isForAllProjects, lowestTrust }: Omit<ApiToken, "hash">) {
  if (role === "uploader") return [];
  return [
    ...(isForAllProjects ? [`all projects of ${by}`] : []),
    describeReadText(lowestTrust ?? "public"),
  ];
}

function NewTokenForm({ hasPerson }: { readonly hasPerson: boolean }) {
  return (
    <details className="add-form">
      <summary>Create token</summary>
      <ChangeForm change="add-token" section="tokens" className="form-stack">
        <ChangeNameField change="add-token" placeholder="Nightly report" />
        <TokenRoleSelect />
        {hasPerson && (
          <label>
            <span>Projects</span>
            <select name="projects" defaultValue="one">
              <option value="one">This project</option>
              <option value="all">All your projects, with at most your role there</option>
            </select>
          </label>
        )}
        <TrustSelect id="token-trust" />
        <label>
          <span>Expires</span>
          <select name="expiresInDays" defaultValue="90">
            <option value="7">In 7 days</option>
            <option value="30">In 30 days</option>
            <option value="90">In 90 days</option>
            <option value="365">In a year</option>
            <option value="">Never</option>
          </select>
        </label>
        <button type="submit" id="add-token">
          Create token
        </button>
      </ChangeForm>
    </details>
  );
}

/** The token, and its use by sentry-cli, by the plugins of bundlers and by curl. */
function NewUploadToken({ token, address }: { token: string; address: UploadAddress }) {
  const { base } = useDesk();
  return (
    <OneTimeSecret
      name="New upload token"
      hint="Copy it now. It will not be shown again."
      text={token}
      copyLabel="the token"
    >
      <p>
        Environment variables for sentry-cli and bundler plugins (
        <DeskLink href="/connect#source-maps">configuration of each tool</DeskLink>):
      </p>
      <CopyLine
        text={createUploadVariables(address, token)}
        copyLabel="the environment variables"
      />
      <p>Upload a map with curl:</p>
      <CopyLine text={createCurlUpload(address, base, token)} copyLabel="the command for curl" />
    </OneTimeSecret>
  );
}
