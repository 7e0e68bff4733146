/** The notice as it was shown, where a browser has said that it was: what somebody holds a screenshot of. */
import type { Issue } from "../../core/issue.ts";
import { Notice } from "../notice.tsx";

/** The notice as an exhibit; nothing while no visitor is known to have seen it. */
export function AsSeen({ issue }: { readonly issue: Issue }) {
  if (!issue.latest.some(({ linked, kind }) => linked && kind === "notice")) return null;
  return (
    <section className="as-seen" aria-labelledby="as-seen-heading">
      <h2 id="as-seen-heading">As the visitor saw it</h2>
      <Notice digest={issue.digest} compact exhibit />
    </section>
  );
}
