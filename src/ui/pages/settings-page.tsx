/** What the owners of a project decide: its name, its keys, its members, its tokens, its end. */
import type { Project } from "../../core/registry/registry.ts";
import { A } from "../place.tsx";
import { Problem } from "../problem.tsx";
import { Keys, type KeysProps } from "../settings/keys.tsx";
import { Members, type MembersProps } from "../settings/members.tsx";
import { Tokens, type TokensProps } from "../settings/tokens.tsx";
import { ProjectEnd, ProjectName } from "../settings/whole.tsx";

/** What the page is made of. */
export interface SettingsPageProps extends KeysProps, MembersProps, TokensProps {
  readonly project: Project;
  /** Why what was asked for was not done. */
  readonly problem?: string | undefined;
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
