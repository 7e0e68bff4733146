/** The forms that rename, archive, reopen and delete a project. */

import { FIRST_PROJECT_ID, type Project } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { TypedConfirmation } from "../parts/typed-confirmation.tsx";
import { NameField } from "./name-field.tsx";
import { ActionCard, SettingsSection } from "./settings-section.tsx";

/** The section with the project's name. */
export function ProjectNameForm({ project }: { project: Project }) {
  return (
    <SettingsSection id="name" name="Name" description="Shown to all members.">
      <DeskForm
        requiredRole="owner"
        method="post"
        action="/settings#name"
        className="form-row-inline"
      >
        <input type="hidden" name="do" value="rename-project" />
        <NameField
          label="Project name"
          isLabelHidden
          maxLength={limits.maxProjectNameChars}
          defaultValue={project.name}
        />
        <button type="submit">Rename</button>
      </DeskForm>
    </SettingsSection>
  );
}

/** The section with the forms to archive, reopen and delete the project. */
export function ProjectLifecycle({ project, nowMs }: { project: Project; nowMs: number }) {
  const isFirst = project.id === FIRST_PROJECT_ID;
  return (
    <SettingsSection
      id="lifecycle"
      name="Archive or delete"
      description={
        isFirst
          ? "The first project cannot be archived or deleted, because Errata reports its own failures to it. You can erase its data."
          : "Archiving stops reports and can be undone. Deleting cannot."
      }
    >
      {!isFirst && (
        <div className="action-cards">
          {project.archivedMs === undefined ? (
            <ArchiveForm />
          ) : (
            <ReopenForm sinceMs={project.archivedMs} nowMs={nowMs} />
          )}
          <DeleteForm project={project} />
        </div>
      )}
    </SettingsSection>
  );
}

function ArchiveForm() {
  return (
    <ActionCard
      name="Archive"
      description="Stops accepting reports (403). Existing data stays readable until it expires."
    >
      <DeskForm requiredRole="owner" method="post" action="/settings#lifecycle">
        <input type="hidden" name="do" value="archive-project" />
        <button type="submit">Archive</button>
      </DeskForm>
    </ActionCard>
  );
}

function ReopenForm({ sinceMs, nowMs }: { sinceMs: number; nowMs: number }) {
  return (
    <ActionCard
      name="Reopen"
      description={
        <>
          Archived <RelativeTime atMs={sinceMs} nowMs={nowMs} />. Reopening accepts reports again
          with the existing keys.
        </>
      }
    >
      <DeskForm requiredRole="owner" method="post" action="/settings#lifecycle">
        <input type="hidden" name="do" value="reopen-project" />
        <button type="submit">Reopen</button>
      </DeskForm>
    </ActionCard>
  );
}

function DeleteForm({ project }: { project: Project }) {
  return (
    <ActionCard
      name="Delete"
      description="Deletes the project with its keys, tokens, members, reports and issues. Its receipts stop working. This cannot be undone."
    >
      <DeskForm requiredRole="owner" method="post" action="/settings">
        <input type="hidden" name="do" value="delete-project" />
        <TypedConfirmation name="confirm" text={project.name} buttonLabel="Delete project" />
      </DeskForm>
    </ActionCard>
  );
}
