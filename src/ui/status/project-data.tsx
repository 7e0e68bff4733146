/** What can be done to a project as a whole, as plain forms. */
import { limits } from "../../core/limits.ts";
import { DeskForm, DeskLink, RequireRole } from "../parts/desk-context.tsx";
import { TypedConfirmation } from "../parts/typed-confirmation.tsx";
import { ActionCard } from "../settings/section.tsx";
import { ERASE_PROJECT_CONFIRMATION } from "./erase-confirmation.ts";

/** The section; it is the owners'. */
export function ProjectData() {
  return (
    <RequireRole requiredRole="owner">
      <section aria-labelledby="project">
        <h2 id="project">The whole project</h2>
        <p className="muted">
          What is erased is gone from the log, the desk and KV. Copies that Cloudflare keeps near
          readers go within an hour. See <a href="/docs/erasure-and-privacy">erasure and privacy</a>
          .
        </p>
        <div className="action-cards">
          <ExportForms />
          <ErasePersonForm />
          <RebuildForm />
          <EraseProjectForm />
        </div>
      </section>
    </RequireRole>
  );
}

function ExportForms() {
  return (
    <ActionCard
      name="Take it with you"
      description="Every report, count and decision as lines of JSON, streamed. Another Errata takes them in."
    >
      <p>
        <DeskLink href="/export">Export everything</DeskLink>
      </p>
      <p>
        <a href="/docs/export-and-import">How to export and import</a>
      </p>
      <DeskForm action="/export" method="get">
        <label>
          <span>Or what came on one day (UTC)</span>
          <input name="day" type="date" required />
        </label>
        <button type="submit">Export the day</button>
      </DeskForm>
    </ActionCard>
  );
}

function ErasePersonForm() {
  const { minErasedTextChars: min, maxErasedTextChars: max } = limits;
  return (
    <ActionCard
      name="Erase a person"
      description="Every report that contains this text is emptied, and the text leaves every title, comment and view; case does not matter. Counts, release and browser stay. Its id is remembered for a day, so that a retry does not bring it back."
    >
      <DeskForm method="post" action="/erase">
        <label>
          <span>An address, a name or a number, {min} characters or more</span>
          <input
            name="text"
            type="text"
            required
            minLength={min}
            maxLength={max}
            // A text between spaces: they are not counted.
            pattern={`\\s*\\S.{${min - 2},}\\S\\s*`}
            title={`${min} characters or more`}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
          />
        </label>
        <button type="submit" className="danger">
          Erase person
        </button>
      </DeskForm>
    </ActionCard>
  );
}

function RebuildForm() {
  return (
    <ActionCard
      name="Rebuild from KV"
      description="Makes issues, counts and decisions anew from the record. Reports are taken meanwhile, and nothing is lost; until it is done the desk shows what it last copied, and can neither search nor decide."
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
      description="All reports, issues, counts and decisions of this project, for good. Nothing remains; what comes afterwards begins anew."
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
