/** The page at `/settings`: name, keys, noise, members, tokens and lifecycle of a project. */

import { KEYLESS_ID } from "../../core/accounts/ingest-keys.ts";
import { FIRST_PROJECT_ID } from "../../core/accounts/project-path.ts";
import type { Project } from "../../core/accounts/registry.ts";
import { SWITCHABLE_NOISE_RULES, type SwitchableNoiseRule } from "../../core/noise/noise-rules.ts";
import { RelativeTime } from "../parts/time.tsx";
import { TypedConfirmation } from "../parts/typed-confirmation.tsx";
import { ApiTokens, type ApiTokensProps } from "./api-tokens.tsx";
import { ChangeForm, ChangeNameField } from "./change-form.tsx";
import { IngestKeys, type IngestKeysProps, PauseKeyForm } from "./ingest-keys.tsx";
import { Members, type MembersProps } from "./members.tsx";
import { ActionCard, SettingsSection } from "./settings-section.tsx";

export interface SettingsPageProps extends IngestKeysProps, MembersProps, ApiTokensProps {
  readonly project: Project;
}

export function SettingsPage(props: SettingsPageProps) {
  const { project, nowMs } = props;
  return (
    <>
      {project.archivedMs !== undefined && (
        <p className="callout">
          <b>Archived.</b> This project does not accept reports. <a href="#lifecycle">Reopen</a>
        </p>
      )}
      <ProjectNameForm project={project} />
      <IngestKeys {...props} />
      {project.id === FIRST_PROJECT_ID && <KeylessReports project={project} />}
      <NoiseRules project={project} />
      <Members {...props} />
      <ApiTokens {...props} />
      <ProjectLifecycle project={project} nowMs={nowMs} />
    </>
  );
}

/** The setting for reports without a key. Only the first project receives them. */
const MODES = [
  ["accept", "Accept all"],
  ["origins", "Accept from these origins only"],
  ["require", "Require a key"],
] as const;

function KeylessReports({ project: { keylessOrigins, pausedKeys = [] } }: { project: Project }) {
  const isPaused = pausedKeys.includes(KEYLESS_ID);
  const selected =
    keylessOrigins === undefined ? "accept" : keylessOrigins.length === 0 ? "require" : "origins";
  return (
    <SettingsSection
      id="keyless"
      name="Reports without a key"
      description="Whether /monitoring accepts reports without a key. Anyone can send such reports."
    >
      <ChangeForm change="set-keyless" section="keyless" className="form-stack">
        <fieldset>
          <legend className="visually-hidden">Reports without a key</legend>
          {MODES.map(([mode, text]) => (
            <label key={mode} className="choice">
              <input type="radio" name="keyless" value={mode} defaultChecked={mode === selected} />{" "}
              <span>{text}</span>
            </label>
          ))}
        </fieldset>
        <label>
          <span>Origins, one per line. Errata’s own pages are always allowed.</span>
          <textarea
            name="origins"
            rows={2}
            defaultValue={keylessOrigins?.join("\n")}
            placeholder={"https://shop.example\nhttps://*.shop.example"}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <button type="submit" id="set-keyless">
          Save
        </button>
      </ChangeForm>
      {isPaused && (
        <p>
          <b>Paused.</b> Errata refuses reports without a key.
        </p>
      )}
      <PauseKeyForm keyId={KEYLESS_ID} isPaused={isPaused} name="reports without a key" />
    </SettingsSection>
  );
}

/** The section with the project's name. */
function ProjectNameForm({ project }: { project: Project }) {
  return (
    <SettingsSection id="name" name="Name" description="Shown to all members.">
      <ChangeForm change="rename-project" section="name" className="form-row-inline">
        <ChangeNameField
          change="rename-project"
          label="Project name"
          isLabelHidden
          defaultValue={project.name}
        />
        <button type="submit">Rename</button>
      </ChangeForm>
    </SettingsSection>
  );
}

/** The errors that each rule matches. */
const RULE_TEXTS: Readonly<Record<SwitchableNoiseRule, string>> = {
  extension: "Browser extensions and the browser itself: their scripts, messages and pages.",
  injected:
    "Scripts that apps, carriers, advertisers, link scanners and security software add to pages.",
  translated: "Pages that a translator changed, and the scripts of translators.",
};

/** The form that switches the rules on and off. */
function NoiseRules({ project: { disabledNoiseRules = [] } }: { project: Project }) {
  return (
    <SettingsSection
      id="noise"
      name="Noise"
      description={
        <>
          Browser errors that your pages did not cause are counted and hidden from the list. If a
          rule is off, new reports that match it are ordinary. See{" "}
          <a href="/docs/ingest-formats#noise">noise</a>.
        </>
      }
    >
      <ChangeForm change="set-noise-rules" section="noise" className="form-stack">
        <fieldset>
          <legend className="visually-hidden">Noise rules</legend>
          {SWITCHABLE_NOISE_RULES.map((rule) => (
            <label key={rule} className="choice">
              <input
                type="checkbox"
                name={rule}
                defaultChecked={!disabledNoiseRules.includes(rule)}
              />{" "}
              <span>
                <b>{rule}</b>: {RULE_TEXTS[rule]}
              </span>
            </label>
          ))}
        </fieldset>
        <button type="submit" id="set-noise-rules">
          Save
        </button>
      </ChangeForm>
    </SettingsSection>
  );
}

/** The section with the forms to archive, reopen and delete the project. */
function ProjectLifecycle({ project, nowMs }: { project: Project; nowMs: number }) {
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
      <ChangeForm change="archive-project" section="lifecycle">
        <button type="submit">Archive</button>
      </ChangeForm>
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
      <ChangeForm change="reopen-project" section="lifecycle">
        <button type="submit">Reopen</button>
      </ChangeForm>
    </ActionCard>
  );
}

function DeleteForm({ project }: { project: Project }) {
  return (
    <ActionCard
      name="Delete"
      description="Deletes the project with its keys, tokens, members, reports and issues. Its receipts stop working. This cannot be undone."
    >
      <ChangeForm change="delete-project">
        <TypedConfirmation name="confirm" text={project.name} buttonLabel="Delete project" />
      </ChangeForm>
    </ActionCard>
  );
}
