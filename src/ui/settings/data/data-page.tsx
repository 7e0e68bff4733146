/** The forms that export, import, erase and rebuild the data of a project. */

import { ERASE_PROJECT_CONFIRMATION } from "../../../core/erasure.ts";
import { limits } from "../../../core/limits.ts";
import { DeskForm, DeskLink } from "../../parts/desk-context.tsx";
import { TypedConfirmation } from "../../parts/typed-confirmation.tsx";
import { ActionCard } from "../settings-section.tsx";
import { ImportForm } from "./import-page.tsx";

/** The content of the page at `/settings/data`. */
export function DataForms() {
  return (
    <>
      <h2 className="visually-hidden">Actions</h2>
      <div className="action-cards">
        <ExportForms />
        <ActionCard
          name="Import"
          description="Adds the data of an export to this project. Known reports are not counted again."
        >
          <ImportForm />
        </ActionCard>
        <ErasePersonForm />
        <RebuildForm />
        <EraseProjectForm />
      </div>
    </>
  );
}

function ExportForms() {
  return (
    <ActionCard
      name="Export"
      description="All reports, counts and issue states as JSON lines. You can import them into another Errata."
    >
      <p>
        <DeskLink href="/export">Export everything</DeskLink>
      </p>
      <p>
        <a href="/docs/export-and-import">About export and import</a>
      </p>
      <DeskForm action="/export" method="get">
        <label>
          <span>One day (UTC)</span>
          <input name="day" type="date" required />
        </label>
        <button type="submit">Export day</button>
      </DeskForm>
    </ActionCard>
  );
}

function ErasePersonForm() {
  const { minErasedTextChars: min, maxErasedTextChars: max } = limits;
  return (
    <ActionCard
      name="Erase personal data"
      description="Removes the contents of every report that contains this text, and the text from titles, comments and saved views. Case-insensitive. Counts, releases and browsers are kept. Before anything is erased, the next page shows the matching data."
    >
      <DeskForm method="post" action="/erase/preview">
        <label>
          <span>Email address, name or number ({min} characters or more)</span>
          <input
            name="text"
            type="text"
            required
            minLength={min}
            maxLength={max}
            // Leading and trailing spaces do not count.
            pattern={`\\s*\\S.{${min - 2},}\\S\\s*`}
            title={`${min} characters or more`}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
          />
        </label>
        <button type="submit">Find reports</button>
      </DeskForm>
    </ActionCard>
  );
}

function RebuildForm() {
  return (
    <ActionCard
      name="Rebuild from KV"
      description="Rebuilds issues, counts and states from the stored reports, if they do not match. Reports are still accepted. Until the rebuild is finished, pages show the last saved data, and search and changes are unavailable."
    >
      <DeskForm method="post" action="/rebuild">
        <button type="submit">Rebuild</button>
      </DeskForm>
    </ActionCard>
  );
}

function EraseProjectForm() {
  return (
    <ActionCard
      name="Erase everything"
      description="Deletes all reports, issues and counts of this project. This cannot be undone."
    >
      <DeskForm method="post" action="/erase">
        <TypedConfirmation
          name="project"
          text={ERASE_PROJECT_CONFIRMATION}
          buttonLabel="Erase everything"
        />
      </DeskForm>
    </ActionCard>
  );
}
