/** The page on which a person allows or denies a program (OAuth 2.1, RFC 8628). */
import { getClientHost } from "../../core/accounts/grant-changes.ts";
import type { Role } from "../../core/accounts/registry.ts";
import { type Access, mayRoleUpload } from "../../core/accounts/token-scopes.ts";
import type { Client } from "../../core/oauth/client-metadata.ts";
import { ALL_PROJECTS, DEFAULT_GRANT_DAYS, GRANT_DAYS } from "../../core/oauth/consent-form.ts";
import { useDesk } from "../parts/desk-context.tsx";
import { FactList } from "../parts/fact-list.tsx";
import { FormError } from "../parts/form-error.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { TrustSelect } from "../settings/trust-select.tsx";
import { describeRedirect } from "./describe-redirect.ts";

interface ConsentPageProps {
  readonly client: Pick<Client, "id" | "name">;
  /** Where the browser returns to; absent for a device. */
  readonly redirectUri?: string;
  /** The device that waits. */
  readonly device?: {
    readonly userCode: string;
    /** Empty if it is unknown. */
    readonly address: string;
    readonly createdMs: number;
    readonly nowMs: number;
  };
  /** True if the access is to MCP of one project only. */
  readonly isForMcp: boolean;
  /** What the person can grant. */
  readonly offered: {
    readonly projects: readonly { readonly id: string; readonly name: string }[];
    readonly role: Role;
    readonly choices: readonly Access[];
  };
  readonly action: string;
  /** Fields that name the request. */
  readonly hidden: Readonly<Record<string, string>>;
  readonly error?: string | undefined;
}

export function ConsentPage(props: ConsentPageProps) {
  const { client, redirectUri, device, offered, isForMcp, action, hidden, error } = props;
  const { name } = useDesk();
  const host = getClientHost(client.id);
  return (
    <div className="card-page">
      <section className="card consent" aria-labelledby="consent">
        <h1 id="consent">
          Connect <bdi>{client.name}</bdi>?
        </h1>
        <p>
          {host === undefined ? "It" : <b>{host}</b>} asks for access to Errata in the name of{" "}
          <bdi>{name}</bdi>.
        </p>
        <FormError message={error} />
        <FactList
          variant="list"
          facts={[
            ["Code", device && <code>{device.userCode}</code>],
            ["From", host !== undefined && <bdi>{client.id}</bdi>],
            ["Network", device && (device.address || "unknown")],
            ["Asked", device && <RelativeTime atMs={device.createdMs} nowMs={device.nowMs} />],
            ["Returns to", redirectUri && <bdi>{describeRedirect(redirectUri)}</bdi>],
          ]}
        />
        <p className="consent-warning">
          {device === undefined
            ? "Allow it only if you have just started this in the program, and if you trust the address above. A program chooses its name itself."
            : "Allow it only if your own terminal shows this code. If somebody sent you the code, deny it."}
        </p>
        {/* The answer leads to another site, which scripts of the page do not follow. */}
        <form method="post" action={action} target="_self" className="form-stack">
          {Object.entries(hidden).map(([field, value]) => (
            <input key={field} type="hidden" name={field} value={value} />
          ))}
          <ProjectField projects={offered.projects} isFixed={isForMcp} />
          <AccessField {...offered} />
          <TrustSelect id="consent-trust" />
          <label>
            <span>Expires</span>
            <select name="days" defaultValue={String(DEFAULT_GRANT_DAYS)}>
              {GRANT_DAYS.map((days) => (
                <option key={days} value={days}>
                  {days === 365 ? "In a year" : `In ${days} days`}
                </option>
              ))}
            </select>
          </label>
          <div className="consent-buttons">
            <button type="submit" name="decision" value="allow" className="main-button">
              Allow
            </button>
            <button type="submit" name="decision" value="deny" formNoValidate>
              Deny
            </button>
          </div>
        </form>
        <p className="muted">
          You can disconnect it on <a href="/profile#programs">your profile</a>.
        </p>
      </section>
    </div>
  );
}

function ProjectField({
  projects,
  isFixed,
}: {
  readonly projects: ConsentPageProps["offered"]["projects"];
  readonly isFixed: boolean;
}) {
  const [first] = projects;
  if (isFixed)
    return (
      <p>
        Project: <b>{first?.name}</b>, only over MCP
      </p>
    );
  return (
    <label>
      <span>Projects</span>
      <select name="project" defaultValue={first?.id}>
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {projects.length > 1 && (
          <option value={ALL_PROJECTS}>All your projects, with at most your role there</option>
        )}
      </select>
    </label>
  );
}

function describeAccess({ role, mayUpload = mayRoleUpload(role) }: Access): string {
  if (role === "owner") return "Everything a token may do: also settings, export and erase";
  if (role === "viewer") return mayUpload ? "Read and upload" : "Read";
  return mayUpload ? "Read, triage and upload" : "Read and triage";
}

/** The roles up to `role`. What only owners may do is never chosen beforehand. */
function AccessField({
  role: most,
  choices,
}: Pick<ConsentPageProps["offered"], "role" | "choices">) {
  return (
    <label>
      <span>Access</span>
      <select name="role" defaultValue={most === "owner" ? "member" : most}>
        {choices.map((access) => (
          <option key={access.role} value={access.role}>
            {describeAccess(access)}
          </option>
        ))}
      </select>
    </label>
  );
}
