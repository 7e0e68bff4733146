/** The page at `/settings`: name, keys, noise, members, tokens and lifecycle of a project. */

import { KEYLESS_ID } from "../../core/accounts/ingest-keys.ts";
import { FIRST_PROJECT_ID, type Project } from "../../core/accounts/registry.ts";
import { SettingsFrame } from "../layout/settings-frame.tsx";
import { DeskForm } from "../parts/desk-context.tsx";
import { FormError } from "../parts/form-error.tsx";
import { KEYLESS_ACTION } from "../urls/settings-urls.ts";
import { ApiTokens, type ApiTokensProps } from "./api-tokens.tsx";
import { PauseKeyForm } from "./ingest-key-entry.tsx";
import { IngestKeys, type IngestKeysProps } from "./ingest-key-section.tsx";
import { Members, type MembersProps } from "./members.tsx";
import { NoiseRules } from "./noise-section.tsx";
import { ProjectLifecycle, ProjectNameForm } from "./project-lifecycle.tsx";
import { SettingsSection } from "./settings-section.tsx";

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
      <NoiseRules project={project} />
      <Members {...props} />
      <ApiTokens {...props} />
      <ProjectLifecycle project={project} nowMs={nowMs} />
    </SettingsFrame>
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
      <DeskForm requiredRole="owner" method="post" action={KEYLESS_ACTION} className="form-stack">
        <input type="hidden" name="do" value="set-keyless" />
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
      </DeskForm>
      {isPaused && (
        <p>
          <b>Paused.</b> Errata refuses reports without a key.
        </p>
      )}
      <PauseKeyForm keyId={KEYLESS_ID} isPaused={isPaused} name="reports without a key" />
    </SettingsSection>
  );
}
