/**
 * Who looks after an issue, and which other issue is the same: the two menus beside the decisions. Plain forms that
 * `POST /d/<digest>/annotations` understands; popovers as the other menus are.
 */
import { limits } from "../../../core/limits.ts";
import type { Digest } from "../../../core/report.ts";
import { DeskForm } from "../../parts/desk-context.tsx";
import { ChevronIcon } from "../../parts/icons.tsx";
import { toIssueActionUrl } from "../../urls/issue-urls.ts";

/** A button that opens a field for a name; without one nobody looks after it. */
export function AssignForm({ digest, assignee }: { digest: Digest; assignee: string | undefined }) {
  const path = toIssueActionUrl(digest, "annotations");
  return (
    <>
      <button type="button" className="menu-button" popoverTarget="assign-menu" data-shortcut="a">
        Assign <ChevronIcon />
      </button>
      <div id="assign-menu" className="menu form-stack" popover="auto">
        <DeskForm method="post" action={path} aria-label="Assign this issue">
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
        </DeskForm>
        {assignee !== undefined && (
          <DeskForm method="post" action={path} aria-label="Unassign this issue">
            <button type="submit" name="unassign" value="1">
              Nobody
            </button>
          </DeskForm>
        )}
      </div>
    </>
  );
}

/** A button that opens two fields: this issue takes in another, or another takes in this one. */
export function MergeForm({ digest }: { digest: Digest }) {
  const path = toIssueActionUrl(digest, "annotations");
  return (
    <>
      <button type="button" className="menu-button" popoverTarget="merge-menu">
        Merge <ChevronIcon />
      </button>
      <div id="merge-menu" className="menu form-stack" popover="auto">
        <p>
          Two issues that are one fault count as one, and both digests lead to it. What comes later
          can be split off again.
        </p>
        <DeskForm method="post" action={path} aria-label="Merge another issue into this one">
          <DigestField name="merge" label="The digest of another issue" />
          <button type="submit">Merge it into {digest}</button>
        </DeskForm>
        <DeskForm method="post" action={path} aria-label="Merge this issue into another one">
          <DigestField name="mergeInto" label="Or of the issue that takes this one" />
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
        placeholder="Digest or address of an issue"
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
      />
    </label>
  );
}
