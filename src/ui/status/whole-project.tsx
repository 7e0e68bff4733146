/** What can be done to a project as a whole, as plain forms. */
import { limits } from "../../core/limits.ts";
import { ERASE_EVERYTHING } from "../erase-words.ts";
import { A, For, Form } from "../place.tsx";
import { Choice } from "../settings/section.tsx";
import { TypedOut } from "../typed-out.tsx";

/** The section; it is the owners'. */
export function WholeProject() {
  return (
    <For needs="owner">
      <section aria-labelledby="project">
        <h2 id="project">The whole project</h2>
        <p className="aside">
          What is erased is gone from the log, the desk and KV. Copies that Cloudflare keeps near
          readers go within an hour. See <a href="/docs/erasure-and-privacy">erasure and privacy</a>
          .
        </p>
        <div className="deeds">
          <TakeAlong />
          <ErasePerson />
          <Rebuild />
          <EraseEverything />
        </div>
      </section>
    </For>
  );
}

function TakeAlong() {
  return (
    <Choice
      name="Take it with you"
      says="Every report, count and decision as lines of JSON, streamed. Another Errata takes them in."
    >
      <p>
        <A href="/export">Export everything</A>
      </p>
      <p>
        <a href="/docs/export-and-import">How to export and import</a>
      </p>
      <Form action="/export" method="get">
        <label>
          <span>Or what came on one day (UTC)</span>
          <input name="day" type="date" required />
        </label>
        <button type="submit">Export the day</button>
      </Form>
    </Choice>
  );
}

function ErasePerson() {
  const { minErasedTextChars: min, maxErasedTextChars: max } = limits;
  return (
    <Choice
      name="Erase a person"
      says="Every report that contains this text is emptied, and the text leaves every title, comment and view; case does not matter. Counts, release and browser stay. Its id is remembered for a day, so that a retry does not bring it back."
    >
      <Form method="post" action="/erase">
        <label>
          <span>An address, a name or a number, {min} characters or more</span>
          <input
            name="person"
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
      </Form>
    </Choice>
  );
}

function Rebuild() {
  return (
    <Choice
      name="Rebuild from KV"
      says="Makes issues, counts and decisions anew from the record. Reports are taken meanwhile, and nothing is lost; until it is done the desk shows what it last copied, and can neither search nor decide."
    >
      <Form method="post" action="/rebuild">
        <button type="submit">Rebuild</button>
      </Form>
    </Choice>
  );
}

function EraseEverything() {
  return (
    <Choice
      name="Erase everything"
      says="All reports, issues, counts and decisions of this project, for good. Nothing remains; what comes afterwards begins anew."
    >
      <Form method="post" action="/erase">
        <TypedOut name="project" words={ERASE_EVERYTHING} button="Erase everything" />
      </Form>
    </Choice>
  );
}
