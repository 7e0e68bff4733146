/** What is decided about a project as a whole: its name, whether it takes reports, and its end. */

import { FIRST_PROJECT_ID, type Project } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { TypedConfirmation } from "../parts/typed-confirmation.tsx";
import { ActionCard, SettingsSection } from "./section.tsx";

/** The section with its name. */
export function ProjectNameForm({ project }: { readonly project: Project }) {
  return (
    <SettingsSection id="name" name="Name" description="As everybody in the project sees it.">
      <DeskForm
        requiredRole="owner"
        method="post"
        action="/settings#name"
        className="form-row-inline"
      >
        <input type="hidden" name="do" value="rename-project" />
        <label>
          <span className="visually-hidden">Name of the project</span>
          <input
            name="name"
            type="text"
            required
            maxLength={limits.maxProjectNameChars}
            defaultValue={project.name}
            autoComplete="off"
            dir="auto"
          />
        </label>
        <button type="submit">Rename</button>
      </DeskForm>
    </SettingsSection>
  );
}

/** The section at the end. */
export function ProjectLifecycle({
  project,
  nowMs,
}: {
  readonly project: Project;
  readonly nowMs: number;
}) {
  const isFirst = project.id === FIRST_PROJECT_ID;
  return (
    <SettingsSection
      id="lifecycle"
      name="Archive or delete"
      description={
        isFirst
          ? "The first project stays, and stays open: Errata reports its own failures to it. What it holds can be erased on its status page."
          : "An archived project is read and takes nothing. A deleted one is gone."
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
      description="It takes no reports any more: senders are answered 403. All it has stays and can be read, until it expires. It can be reopened."
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
          Archived <RelativeTime atMs={sinceMs} nowMs={nowMs} />. Reopened, it takes reports again
          by the keys that it has.
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
      description="Its keys, tokens and members, and every report, issue and decision, for good. Its receipts answer nothing any more."
    >
      <DeskForm requiredRole="owner" method="post" action="/settings">
        <input type="hidden" name="do" value="delete-project" />
        <TypedConfirmation name="confirm" text={project.name} buttonLabel="Delete project" />
      </DeskForm>
    </ActionCard>
  );
}
