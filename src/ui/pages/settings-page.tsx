/** What the owners of a project decide: its name, its keys, its members, its tokens, its end. */
import type {
  ApiToken,
  IngestKey,
  Invitation,
  Project,
  Role,
} from "../../core/registry/registry.ts";
import { A } from "../place.tsx";
import { Problem } from "../problem.tsx";
import { Keys } from "../settings/keys.tsx";
import { Members } from "../settings/members.tsx";
import { Tokens } from "../settings/tokens.tsx";
import { ProjectEnd, ProjectName } from "../settings/whole.tsx";

/** What the page is made of. */
export interface SettingsPageProps {
  readonly project: Project;
  /** `https://errata.example`. */
  readonly origin: string;
  readonly keys: readonly (IngestKey & { readonly dsn: string })[];
  /** The key of the configuration (`ERRATA_KEY`), which belongs to the first project and is changed by a deployment. */
  readonly ownKey?: string | undefined;
  readonly members: readonly ProjectMember[];
  readonly invitations: readonly Omit<Invitation, "hash">[];
  readonly tokens: readonly Omit<ApiToken, "hash">[];
  /** The id of whoever looks. */
  readonly me?: string | undefined;
  /** When each token was last used, by its id. */
  readonly uses: Promise<Readonly<Record<string, number>>>;
  readonly shown?: Shown | undefined;
  /** Why what was asked for was not done. */
  readonly problem?: string | undefined;
  readonly nowMs: number;
}

/** Somebody in the project. */
export interface ProjectMember {
  readonly person: string;
  readonly name: string;
  readonly role: Role;
  /** Who comes through Cloudflare Access: the name that it knows. */
  readonly access?: string;
}

/** What was made just now and is shown once: an invitation's code, or a token. */
export interface Shown {
  readonly asked: string;
  readonly secrets: readonly string[];
}

/** The page at `/settings`. */
export function SettingsPage(props: SettingsPageProps) {
  const { project, problem, nowMs } = props;
  return (
    <div className="settings-page">
      <header className="page-head">
        <h1>Settings</h1>
        <p>
          For owners of <bdi>{project.name}</bdi>. Every change is in the{" "}
          <A href="/settings/audit">audit log</A>. See also{" "}
          <a href="/docs/access-and-roles">access and roles</a>.
        </p>
      </header>
      <Problem says={problem} />
      {project.archivedMs !== undefined && (
        <p className="say-now">
          <b>Archived.</b> This project takes no reports. It can be <a href="#end">reopened</a>.
        </p>
      )}
      <ProjectName project={project} />
      <Keys {...props} />
      <Members {...props} />
      <Tokens {...props} />
      <ProjectEnd project={project} nowMs={nowMs} />
    </div>
  );
}
