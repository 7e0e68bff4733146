/**
 * Who looks after an issue, and which other issue is the same: the two menus beside the decisions. Plain forms that
 * `POST /d/<digest>/notes` understands; popovers as the other menus are.
 */
import { limits } from "../../core/limits.ts";
import type { Digest } from "../../core/report.ts";
import { Chevron } from "../marks.tsx";
import { Form } from "../place.tsx";
import { issueAction } from "./issue-url.ts";

/** A button that opens a field for a name; without one nobody looks after it. */
export function Assign({ digest, assignee }: { digest: Digest; assignee: string | undefined }) {
  const path = issueAction(digest, "notes");
  return (
    <>
      <button type="button" className="opener" popoverTarget="assign-menu" data-key="a">
        Assign <Chevron />
      </button>
      <div id="assign-menu" className="menu asking" popover="auto">
        <Form method="post" action={path} aria-label="Assign this issue">
          <label>
            Who looks after it?
            <input
              name="assign"
              type="text"
              required
              maxLength={limits.maxAssigneeChars}
              defaultValue={assignee}
              autoComplete="name"
              dir="auto"
            />
          </label>
          <button type="submit">Assign</button>
        </Form>
        {assignee !== undefined && (
          <Form method="post" action={path} aria-label="Unassign this issue">
            <button type="submit" name="unassign" value="1">
              Nobody
            </button>
          </Form>
        )}
      </div>
    </>
  );
}

/** A button that opens two fields: this issue takes in another, or another takes in this one. */
export function Merge({ digest }: { digest: Digest }) {
  const path = issueAction(digest, "notes");
  return (
    <>
      <button type="button" className="opener" popoverTarget="merge-menu">
        Merge <Chevron />
      </button>
      <div id="merge-menu" className="menu asking" popover="auto">
        <p>
          Two issues that are one fault count as one, and both digests lead to it. What comes later
          can be split off again.
        </p>
        <Form method="post" action={path} aria-label="Merge another issue into this one">
          <OtherDigest name="merge" label="The digest of another issue" />
          <button type="submit">Merge it into {digest}</button>
        </Form>
        <Form method="post" action={path} aria-label="Merge this issue into another one">
          <OtherDigest name="into" label="Or of the issue that takes this one" />
          <button type="submit">Merge {digest} into it</button>
        </Form>
      </div>
    </>
  );
}

function OtherDigest({ name, label }: { name: "merge" | "into"; label: string }) {
  return (
    <label>
      {label}
      <input
        name={name}
        type="text"
        required
        placeholder="Digest or address of an issue"
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
      />
    </label>
  );
}
