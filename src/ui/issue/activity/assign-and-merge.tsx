/**
 * Menus that assign or merge an issue. The forms post to `/d/<digest>/annotations`; the menus are
 * popovers like those in `actions.tsx`.
 */
import type { Digest } from "../../../core/report.ts";
import { AssigneeOptions } from "../../issues/bulk/assignee-options.tsx";
import { DeskForm } from "../../parts/desk-context.tsx";
import { ChevronIcon } from "../../parts/icons.tsx";
import { toIssueActionUrl } from "../../urls/issue-urls.ts";

/** A menu to assign the issue to a member, or to unassign it. */
export function AssignForm({ digest, assignee }: { digest: Digest; assignee: string | undefined }) {
  const path = toIssueActionUrl(digest, "annotations");
  return (
    <>
      <button type="button" className="menu-button" popoverTarget="assign-menu" data-shortcut="a">
        Assign <ChevronIcon />
      </button>
      <DeskForm
        id="assign-menu"
        className="menu assignee-menu"
        popover="auto"
        method="post"
        action={path}
        aria-label="Assign this issue"
      >
        <AssigneeOptions assignee={assignee} />
      </DeskForm>
    </>
  );
}

/** A menu to merge another issue into this one, or this one into another. */
export function MergeForm({ digest }: { digest: Digest }) {
  const path = toIssueActionUrl(digest, "annotations");
  return (
    <>
      <button type="button" className="menu-item" popoverTarget="merge-menu">
        Merge…
      </button>
      <div id="merge-menu" className="menu form-stack" popover="auto">
        <p>
          Merged issues count as one, and both digests open it. You can split them later; past
          counts stay together.
        </p>
        <DeskForm method="post" action={path} aria-label="Merge another issue into this one">
          <DigestField name="merge" label="Issue to merge into this one" />
          <button type="submit">Merge into {digest}</button>
        </DeskForm>
        <DeskForm method="post" action={path} aria-label="Merge this issue into another one">
          <DigestField name="mergeInto" label="Or: issue to merge this one into" />
          <button type="submit">Merge {digest} into it</button>
        </DeskForm>
      </div>
    </>
  );
}

function DigestField({ name, label }: { name: "merge" | "mergeInto"; label: string }) {
  return (
    <label>
      {label}
      <input
        name={name}
        type="text"
        required
        placeholder="Digest or URL of an issue"
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
      />
    </label>
  );
}
