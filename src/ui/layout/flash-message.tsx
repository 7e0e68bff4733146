/**
 * The flash message: the result of the last action, shown once. The texts are a closed list, so a
 * forged cookie can only select a text, a count and a member of the project.
 */
import { use } from "react";
import { limits } from "../../core/limits.ts";
import type { Digest } from "../../core/report.ts";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { ALERT_PREFERENCES_URL, toAlertFormUrl } from "../urls/alert-urls.ts";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { ThemeContext } from "./theme-form.tsx";

const CAN_UNDO = `You can undo this for ${limits.undoRemovalMs / 1_000} seconds.`;

const MESSAGES = {
  resolved: (_, issues) => `${issues} resolved.`,
  "resolved-next": (_, issues) => `${issues} resolved in the next release.`,
  ignored: (_, issues) => `${issues} ignored.`,
  muted: (_, issues) => `${issues} muted.`,
  open: (_, issues) => `${issues} reopened.`,
  merged: (_, issues) => `${issues} merged into one.`,
  undone: (_, issues) => `Undone. ${issues} restored.`,
  "not-restored": () =>
    `Not undone. That is possible for ${limits.undoRemovalMs / 1_000} seconds only.`,
  "not-undone": () => "Not undone. The action is too old, or the issues have changed since.",
  "nothing-merged": () => "Not merged. Select at least two existing issues.",
  "issues-unknown": () => "No changes. The selected issues no longer exist.",
  commented: () => "Comment added.",
  "comment-deleted": () => "Comment deleted.",
  assigned: (_, issues, assignee) =>
    assignee === undefined ? `${issues} assigned.` : `${issues} assigned to ${assignee}.`,
  unassigned: (_, issues) => `${issues} unassigned.`,
  "not-assigned": () => "Not assigned. No member of this project has this name.",
  "merged-into": () => "Issues merged. Both digests lead here.",
  split: () => "Issue split. New reports count separately; past counts stay together.",
  "split-by-stack": () => "Split by stack. It takes effect within a minute.",
  "group-together": () => "New reports count together again within a minute.",
  "not-split": () =>
    `Not split. A project has at most ${formatNumber(limits.maxSplitDigests)} issues split by stack.`,
  "not-stored": () => "Not saved. The settings of the projects have reached their maximum size.",
  "not-allowed": () => "No changes. You do not have permission for this.",
  "view-saved": () => "View saved.",
  "view-deleted": () => "View deleted.",
  "sample-loaded": (count) => `Sample data loaded: ${pluralize(count, "issue")}.`,
  "upload-deleted": () => "Upload deleted. Stacks that it resolved are minified again.",
  "upload-unknown": () => "No changes. The upload no longer exists.",
  "rule-saved": () => "Rule saved.",
  "rule-unmatched": (days) => `Rule saved. Its query matches no issue of the last ${days} days.`,
  "rule-unmatched-newest": (_, issues) =>
    `Rule saved. Its query matches none of the newest ${issues}.`,
  "rule-deleted": () => "Rule deleted.",
  "repository-saved": () => "Repository saved.",
  "destination-saved": () => "Destination saved. Send a test to see whether it works.",
  "destination-deleted": () => `Destination deleted. ${CAN_UNDO}`,
  "own-destination-deleted": () => `Destination deleted. ${CAN_UNDO}`,
  "destination-restored": () => "Undone. The destination gets alerts again.",
  "token-revoked": () => `Token revoked. ${CAN_UNDO}`,
  "key-revoked": () => `Key revoked. ${CAN_UNDO}`,
  "invitation-withdrawn": () => `Invitation withdrawn. ${CAN_UNDO}`,
  restored: () => "Undone. It works again.",
  "preferences-saved": () => "Settings saved.",
  "test-delivered": (status: number) =>
    `Test delivered${status > 0 ? ` (status ${formatNumber(status)})` : ""}.`,
  "not-tested": (status: number) =>
    `Test not delivered${status > 0 ? ` (status ${formatNumber(status)})` : ""}. See the delivery log.`,
  "sent-again": () => "Message queued again.",
  "not-found": () => "No changes. No issue has this digest.",
  "not-annotated": () => "Not saved. The comment is empty or too long, or the issue is unknown.",
  "not-decided": () => "No changes. Select at least one issue and an action.",
  "not-saved": () =>
    `View not saved. Enter a name; a project has at most ${formatNumber(limits.maxSavedViews)} views.`,
  "not-erased": () => "Not erased. Type this issue’s digest to confirm.",
  "not-changed": () => "No changes. The form could not be read.",
} as const satisfies Readonly<Record<string, FormatMessage>>;

type FormatMessage = (count: number, issues: string, assignee: string | undefined) => string;

/** The key of a message. */
export type FlashKind = keyof typeof MESSAGES;

/** A message. */
export interface Flash {
  readonly kind: FlashKind;
  /** The number in the message, mostly of issues. */
  readonly count: number;
  /** The issue, if it is only one. */
  readonly digest?: Digest | undefined;
  /** The member to whom the issues were assigned. */
  readonly assignee?: string | undefined;
  /** The action that can be undone. */
  readonly undoId?: string | undefined;
}

/** Where what was removed can be restored (`do=restore`, by its id in `undo`). */
const RESTORING_PATHS: Readonly<Partial<Record<FlashKind, string>>> = {
  "token-revoked": "/settings",
  "key-revoked": "/settings",
  "invitation-withdrawn": "/settings",
  "destination-deleted": toAlertFormUrl("destinations"),
  "own-destination-deleted": ALERT_PREFERENCES_URL,
};

/** True if `word` is the key of a message. */
export function isFlashKind(word: string): word is FlashKind {
  return Object.hasOwn(MESSAGES, word);
}

/** The text of a message: "3 issues resolved.", "7F3K-Q2M9 assigned to Ada." */
export function formatFlash({ kind, count, digest, assignee }: Flash): string {
  return MESSAGES[kind](count, digest ?? pluralize(count, "issue"), assignee);
}

/**
 * Shows the message in a fixed place, with a button that undoes the action. The client script moves
 * the focus to `data-focus`: the issue that was restored.
 */
export function FlashMessage({ flash }: { flash: Flash }) {
  const { kind, digest, undoId } = flash;
  const { returnTo } = use(ThemeContext);
  const isRefused = kind.startsWith("not-");
  const restoringPath = RESTORING_PATHS[kind];
  const focus = kind === "undone" && digest !== undefined ? `issue-${digest}` : undefined;
  return (
    <div className={isRefused ? "flash refused" : "flash"} data-focus={focus}>
      <p role={isRefused ? "alert" : "status"}>
        <FlashText flash={flash} />
      </p>
      {undoId !== undefined && (
        <DeskForm method="post" action={restoringPath ?? "/undo"}>
          <input type="hidden" name="undo" value={undoId} />
          {restoringPath === undefined ? (
            <input type="hidden" name="returnTo" value={returnTo} />
          ) : (
            <input type="hidden" name="do" value="restore" />
          )}
          <button type="submit" data-shortcut="z">
            {kind.startsWith("merged") ? "Split" : "Undo"}
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
function FlashText({ flash }: { flash: Flash }) {
  const { digest } = flash;
  const text = formatFlash(flash);
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
