/**
 * What somebody has just done on the desk, or what was refused, said once, on the page that shows it. The words are a closed list: whatever tells the page
 * of it can choose among them and count, and nothing else.
 */
import { limits } from "../core/limits.ts";
import { counted, figure } from "./figure.tsx";

const SENTENCES = {
  resolved: (count: number) => `${counted(count, "issue")} resolved.`,
  "resolved-next": (count: number) => `${counted(count, "issue")} resolved in the next release.`,
  ignored: (count: number) => `${counted(count, "issue")} ignored.`,
  muted: (count: number) => `${counted(count, "issue")} muted.`,
  open: (count: number) => `${counted(count, "issue")} reopened.`,
  merged: (count: number) => `${counted(count, "issue")} merged into one.`,
  unmerged: () => "Nothing was merged: it takes at least two issues that are known.",
  unknown: () => "Nothing was changed: none of them is known any more.",
  commented: () => "The comment is kept.",
  uncommented: () => "The comment is gone.",
  assigned: () => "Who looks after it is kept.",
  "merged-one": () => "Merged: both digests lead here.",
  split: () => "Split: it counts by itself again.",
  kept: () => "The view is saved.",
  forgotten: () => "The view is forgotten.",
  loaded: (count: number) => `Sample data is loaded: ${counted(count, "issue")}.`,
  "not-known": () => "Nothing was changed: no issue has this digest.",
  "not-noted": () =>
    "Nothing was changed: the comment was empty or too long, or no other issue was named.",
  "not-decided": () => "Nothing was changed: choose at least one issue, and what to do with it.",
  "not-saved": () =>
    `No view was saved: it needs a name, and there is room for ${figure(limits.maxSavedViews)}.`,
  "not-erased": () => "Nothing was erased: it takes the digest of this issue, typed out.",
  "not-done": () => "Nothing was changed: what the form sent could not be read.",
} as const satisfies Readonly<Record<string, (count: number) => string>>;

/** What was done. */
export type Did = keyof typeof SENTENCES;

/** What was done, and to how many. */
export interface Done {
  readonly did: Did;
  readonly count: number;
}

/** True for a word of the list. */
export function isDid(word: string): word is Did {
  return Object.hasOwn(SENTENCES, word);
}

/** The sentence: "3 issues resolved." */
export function doneSentence({ did, count }: Done): string {
  return SENTENCES[did](count);
}

/** The sentence in its place. It takes the focus where what had it is gone. */
export function DoneSentence({ done }: { readonly done: Done }) {
  const isRefused = done.did.startsWith("not-");
  return (
    <p
      className={isRefused ? "problem-box" : "just-done"}
      role={isRefused ? "alert" : "status"}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: what was pressed is mostly gone with what it was about
      autoFocus
    >
      {doneSentence(done)}
    </p>
  );
}
