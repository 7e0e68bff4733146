/**
 * How an issue or one of its reports is erased: a plain form each, behind a button that says what will happen before it does.
 * `POST /d/<digest>/erase` takes both.
 */
import type { Digest, ReportId } from "../../core/report.ts";
import { For, Form } from "../place.tsx";
import { TypedOut } from "../typed-out.tsx";
import { issueAction } from "./issue-url.ts";

/** The last of an issue's buttons; its popover asks for the digest to be typed. */
export function EraseIssue({ digest }: { readonly digest: Digest }) {
  return (
    <For needs="owner">
      <div className="erase">
        <button type="button" className="opener quiet danger" popoverTarget="erase-issue">
          Erase…
        </button>
        <Form
          id="erase-issue"
          className="menu asking"
          popover="auto"
          method="post"
          action={issueAction(digest, "erase")}
          aria-label="Erase this issue"
        >
          <p>
            <b>For good:</b> all reports of this issue with their files, its counts, and what was
            decided about it. If it happens again, it is a new issue. See{" "}
            <a href="/docs/erasure-and-privacy#what-remains">what remains</a>.
          </p>
          <TypedOut name="confirm" words={digest} button="Erase issue" />
        </Form>
      </div>
    </For>
  );
}

/** Stands under a report. */
export function EraseReport({ digest, id }: { readonly digest: Digest; readonly id: ReportId }) {
  return (
    <For needs="owner">
      <details className="erase-report">
        <summary className="danger">Erase this report…</summary>
        <Form method="post" action={issueAction(digest, "erase")}>
          <input type="hidden" name="report" value={id} />
          <p>
            What this report says is gone for good, its files too. That it happened still counts:
            when, in which release and in which browser.
          </p>
          <button type="submit" className="danger filled">
            Erase report
          </button>
        </Form>
      </details>
    </For>
  );
}
