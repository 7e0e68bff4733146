/** What is decided about a project as a whole: its name, whether it takes reports, and its end. */
import { limits } from "../../core/limits.ts";
import { FIRST_PROJECT, type Project } from "../../core/registry/registry.ts";
import { Form } from "../place.tsx";
import { Time } from "../time.tsx";
import { TypedOut } from "../typed-out.tsx";
import { Choice, SettingsSection } from "./section.tsx";

/** The section with its name. */
export function ProjectName({ project }: { readonly project: Project }) {
  return (
    <SettingsSection id="name" name="Name" says="As everybody in the project sees it.">
      <Form needs="owner" method="post" action="/settings#name" className="asking-row">
        <input type="hidden" name="do" value="rename-project" />
        <label>
          <span className="unseen">Name of the project</span>
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
      </Form>
    </SettingsSection>
  );
}

/** The section at the end. */
export function ProjectEnd({
  project,
  nowMs,
}: {
  readonly project: Project;
  readonly nowMs: number;
}) {
  const isFirst = project.id === FIRST_PROJECT;
  return (
    <SettingsSection
      id="end"
      name="Archive or delete"
      says={
        isFirst
          ? "The first project stays, and stays open: Errata reports its own failures to it. What it holds can be erased on its status page."
          : "An archived project is read and takes nothing. A deleted one is gone."
      }
    >
      {!isFirst && (
        <div className="deeds">
          {project.archivedMs === undefined ? (
            <Archive />
          ) : (
            <Reopen sinceMs={project.archivedMs} nowMs={nowMs} />
          )}
          <Delete project={project} />
        </div>
      )}
    </SettingsSection>
  );
}

function Archive() {
  return (
    <Choice
      name="Archive"
      says="It takes no reports any more: senders are answered 403. All it has stays and can be read, until it expires. It can be reopened."
    >
      <Form needs="owner" method="post" action="/settings#end">
        <input type="hidden" name="do" value="archive-project" />
        <button type="submit">Archive</button>
      </Form>
    </Choice>
  );
}

function Reopen({ sinceMs, nowMs }: { sinceMs: number; nowMs: number }) {
  return (
    <Choice
      name="Reopen"
      says={
        <>
          Archived <Time atMs={sinceMs} nowMs={nowMs} />. Reopened, it takes reports again by the
          keys that it has.
        </>
      }
    >
      <Form needs="owner" method="post" action="/settings#end">
        <input type="hidden" name="do" value="reopen-project" />
        <button type="submit">Reopen</button>
      </Form>
    </Choice>
  );
}

function Delete({ project }: { project: Project }) {
  return (
    <Choice
      name="Delete"
      says="Its keys, tokens and members, and every report, issue and decision, for good. Its receipts answer nothing any more."
    >
      <Form needs="owner" method="post" action="/settings">
        <input type="hidden" name="do" value="delete-project" />
        <TypedOut name="typed" words={project.name} button="Delete project" />
      </Form>
    </Choice>
  );
}
