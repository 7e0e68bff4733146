/** The page at `/settings`: name, keys, members, tokens and lifecycle of a project. */
import { FIRST_PROJECT_ID, type Project } from "../../core/accounts/registry.ts";
import { SettingsFrame } from "../layout/settings-frame.tsx";
import { FormError } from "../parts/form-error.tsx";
import { ApiTokens, type ApiTokensProps } from "./api-tokens.tsx";
import { IngestKeys, type IngestKeysProps } from "./ingest-key-section.tsx";
import { KeylessReports } from "./keyless-section.tsx";
import { Members, type MembersProps } from "./members.tsx";
import { ProjectLifecycle, ProjectNameForm } from "./project-lifecycle.tsx";

interface SettingsPageProps extends IngestKeysProps, MembersProps, ApiTokensProps {
  readonly project: Project;
  /** Why the last change was rejected. */
  readonly error?: string | undefined;
}

export function SettingsPage(props: SettingsPageProps) {
  const { project, error, nowMs } = props;
  return (
    <SettingsFrame
      current="project"
      title="Settings"
      note={
        <>
          For owners of <bdi>{project.name}</bdi>. See also{" "}
          <a href="/docs/access-and-roles">access and roles</a>.
        </>
      }
    >
      <FormError message={error} />
      {project.archivedMs !== undefined && (
        <p className="callout">
          <b>Archived.</b> This project does not accept reports. <a href="#lifecycle">Reopen</a>
        </p>
      )}
      <ProjectNameForm project={project} />
      <IngestKeys {...props} />
      {project.id === FIRST_PROJECT_ID && <KeylessReports project={project} />}
      <Members {...props} />
      <ApiTokens {...props} />
      <ProjectLifecycle project={project} nowMs={nowMs} />
    </SettingsFrame>
  );
}
