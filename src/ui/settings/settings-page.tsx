/** What the owners of a project decide: its name, its keys, its members, its tokens, its end. */
import type { Project } from "../../core/accounts/registry.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { FormError } from "../parts/form-error.tsx";
import { ApiTokens, type ApiTokensProps } from "./api-tokens.tsx";
import { IngestKeys, type IngestKeysProps } from "./ingest-key-section.tsx";
import { Members, type MembersProps } from "./members.tsx";
import { ProjectLifecycle, ProjectNameForm } from "./project-lifecycle.tsx";

/** What the page is made of. */
export interface SettingsPageProps extends IngestKeysProps, MembersProps, ApiTokensProps {
  readonly project: Project;
  /** Why what was asked for was not done. */
  readonly error?: string | undefined;
}

/** The page at `/settings`. */
export function SettingsPage(props: SettingsPageProps) {
  const { project, error, nowMs } = props;
  return (
    <div className="settings-page">
      <header className="page-header">
        <h1>Settings</h1>
        <p>
          For owners of <bdi>{project.name}</bdi>. Every change is in the{" "}
          <DeskLink href="/settings/audit">audit log</DeskLink>. See also{" "}
          <a href="/docs/access-and-roles">access and roles</a>.
        </p>
      </header>
      <FormError message={error} />
      {project.archivedMs !== undefined && (
        <p className="callout">
          <b>Archived.</b> This project takes no reports. It can be{" "}
          <a href="#lifecycle">reopened</a>.
        </p>
      )}
      <ProjectNameForm project={project} />
      <IngestKeys {...props} />
      <Members {...props} />
      <ApiTokens {...props} />
      <ProjectLifecycle project={project} nowMs={nowMs} />
    </div>
  );
}
