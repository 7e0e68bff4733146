/**
 * The flash message: the result of the last action, shown once. The texts are a closed list, so a
 * forged cookie can select a text and a count and nothing else.
 */
import { limits } from "../../core/limits.ts";
import { formatNumber, pluralize } from "../parts/number.tsx";

const MESSAGES = {
  resolved: (count: number) => `${pluralize(count, "issue")} resolved.`,
  "resolved-next": (count: number) => `${pluralize(count, "issue")} resolved in the next release.`,
  ignored: (count: number) => `${pluralize(count, "issue")} ignored.`,
  muted: (count: number) => `${pluralize(count, "issue")} muted.`,
  open: (count: number) => `${pluralize(count, "issue")} reopened.`,
  merged: (count: number) => `${pluralize(count, "issue")} merged into one.`,
  "nothing-merged": () => "Not merged. Select at least two existing issues.",
  "issues-unknown": () => "No changes. The selected issues no longer exist.",
  commented: () => "Comment added.",
  "comment-deleted": () => "Comment deleted.",
  assigned: () => "Assignee updated.",
  "merged-into": () => "Issues merged. Both digests lead here.",
  split: () => "Issue split.",
  "view-saved": () => "View saved.",
  "view-deleted": () => "View deleted.",
  "sample-loaded": (count: number) => `Sample data loaded: ${pluralize(count, "issue")}.`,
  "upload-deleted": () => "Upload deleted. Its stacks are minified again.",
  "upload-unknown": () => "No changes. The upload no longer exists.",
  "rule-saved": () => "Rule saved.",
  "rule-deleted": () => "Rule deleted.",
  "destination-saved": () => "Saved. Send a test to see whether it works.",
  "destination-deleted": () => "Destination removed.",
  "preferences-saved": () => "Saved.",
  "test-delivered": (status: number) =>
    `Test delivered${status > 0 ? ` (status ${formatNumber(status)})` : ""}.`,
  "not-tested": (status: number) =>
    `Test not delivered${status > 0 ? ` (status ${formatNumber(status)})` : ""}. See the deliveries.`,
  "sent-again": () => "The message is queued again.",
  "not-found": () => "No changes. No issue has this digest.",
  "not-annotated": () => "Not saved. The comment is empty or too long, or the issue is unknown.",
  "not-decided": () => "No changes. Select at least one issue and an action.",
  "not-saved": () =>
    `View not saved. Enter a name; a project has at most ${formatNumber(limits.maxSavedViews)} views.`,
  "not-erased": () => "Not erased. Type this issue’s digest to confirm.",
  "not-changed": () => "No changes. The form could not be read.",
} as const satisfies Readonly<Record<string, (count: number) => string>>;

/** The key of a message. */
export type FlashKind = keyof typeof MESSAGES;

/** A message and the number of issues in it. */
export interface Flash {
  readonly kind: FlashKind;
  readonly count: number;
}

/** True if `word` is the key of a message. */
export function isFlashKind(word: string): word is FlashKind {
  return Object.hasOwn(MESSAGES, word);
}

/** The text of a message: "3 issues resolved." */
export function formatFlash({ kind, count }: Flash): string {
  return MESSAGES[kind](count);
}

/** Shows the message. It takes the focus, because the pressed button is usually gone. */
export function FlashMessage({ flash }: { readonly flash: Flash }) {
  const isRefused = flash.kind.startsWith("not-");
  return (
    <p
      className={isRefused ? "form-error" : "flash"}
      role={isRefused ? "alert" : "status"}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: the pressed button is mostly gone
      autoFocus
    >
      {formatFlash(flash)}
    </p>
  );
}
