/** The flash message: the result of the last action, shown once. */
import { use } from "react";
import type { Digest } from "../../core/report.ts";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { ThemeContext } from "../parts/theme-form.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";

/** The message, and the button that undoes the action. */
export interface ShownFlash {
  /** "3 issues resolved.", "7F3K-Q2M9 assigned to Ada." */
  readonly text: string;
  /** The issue in the text, if it is only one. */
  readonly digest?: Digest | undefined;
  /** True if nothing was changed. */
  readonly isRefused: boolean;
  /** The element that gets the focus. */
  readonly focus?: string | undefined;
  readonly undo?: FlashUndo | undefined;
}

interface FlashUndo {
  /** The action to undo. */
  readonly id: string;
  readonly label: string;
  /** Where what was removed is restored; the page of issues by default. */
  readonly path?: string | undefined;
}

/**
 * Shows the message in a fixed place, with a button that undoes the action. The client script moves
 * the focus to `data-focus`: the issue that was restored.
 */
export function FlashMessage({ flash }: { flash: ShownFlash }) {
  const { isRefused, focus, undo } = flash;
  const { returnTo } = use(ThemeContext);
  return (
    <div className={isRefused ? "flash refused" : "flash"} data-focus={focus}>
      <p role={isRefused ? "alert" : "status"}>
        <FlashText flash={flash} />
      </p>
      {undo && (
        <DeskForm method="post" action={undo.path ?? "/undo"}>
          <input type="hidden" name="undo" value={undo.id} />
          {undo.path === undefined ? (
            <input type="hidden" name="returnTo" value={returnTo} />
          ) : (
            <input type="hidden" name="do" value="restore" />
          )}
          <button type="submit" data-shortcut="z">
            {undo.label}
            <span className="key" aria-hidden="true">
              z
            </span>
          </button>
        </DeskForm>
      )}
    </div>
  );
}

/** The text, in which the digest is a link. */
function FlashText({ flash: { text, digest } }: { flash: ShownFlash }) {
  if (digest === undefined || !text.includes(digest)) return text;
  const [before, after] = text.split(digest);
  return (
    <>
      {before}
      <DeskLink href={toIssueUrl(digest)}>
        <code>{digest}</code>
      </DeskLink>
      {after}
    </>
  );
}
