/**
 * What somebody has just done on the desk, or what was refused, said once, on the page that shows it. The words are a closed list: whatever tells the page
 * of it can choose among them and count, and nothing else.
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
  "not-merged": () => "Nothing was merged: it takes at least two issues that are known.",
  "issues-unknown": () => "Nothing was changed: none of them is known any more.",
  commented: () => "The comment is kept.",
  "comment-deleted": () => "The comment is gone.",
  assigned: () => "Who looks after it is kept.",
  "merged-into": () => "Merged: both digests lead here.",
  split: () => "Split: it counts by itself again.",
  "view-saved": () => "The view is saved.",
  "view-deleted": () => "The view is forgotten.",
  "sample-loaded": (count: number) => `Sample data is loaded: ${pluralize(count, "issue")}.`,
  "not-found": () => "Nothing was changed: no issue has this digest.",
  "not-annotated": () =>
    "Nothing was changed: the comment was empty or too long, or no other issue was named.",
  "not-decided": () => "Nothing was changed: choose at least one issue, and what to do with it.",
  "not-saved": () =>
    `No view was saved: it needs a name, and there is room for ${formatNumber(limits.maxSavedViews)}.`,
  "not-erased": () => "Nothing was erased: it takes the digest of this issue, typed out.",
  "not-changed": () => "Nothing was changed: what the form sent could not be read.",
} as const satisfies Readonly<Record<string, (count: number) => string>>;

/** What was done. */
export type FlashKind = keyof typeof MESSAGES;

/** What was done, and to how many. */
export interface Flash {
  readonly kind: FlashKind;
  readonly count: number;
}

/** True for a word of the list. */
export function isFlashKind(word: string): word is FlashKind {
  return Object.hasOwn(MESSAGES, word);
}

/** The sentence: "3 issues resolved." */
export function formatFlash({ kind, count }: Flash): string {
  return MESSAGES[kind](count);
}

/** The sentence in its place. It takes the focus where what had it is gone. */
export function FlashMessage({ flash }: { readonly flash: Flash }) {
  const isRefused = flash.kind.startsWith("not-");
  return (
    <p
      className={isRefused ? "form-error" : "flash"}
      role={isRefused ? "alert" : "status"}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: what was pressed is mostly gone with what it was about
      autoFocus
    >
      {formatFlash(flash)}
    </p>
  );
}
