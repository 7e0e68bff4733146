/** The notice as it was shown, where a browser has said that it was: what somebody holds a screenshot of. */
import type { Issue } from "../../core/issue.ts";
import { Notice } from "../notice.tsx";
import { usePlace } from "../place.tsx";

/** The notice as an exhibit; nothing while no visitor is known to have seen it. */
export function AsSeen({ issue }: { readonly issue: Issue }) {
  const { base } = usePlace();
  const code = shownCode(issue);
  if (code === undefined) return null;
  return (
    <section className="as-seen" aria-labelledby="as-seen-heading">
      <h2 id="as-seen-heading">As the visitor saw it</h2>
      <Notice digest={code} compact exhibit base={base} />
    </section>
  );
}

/**
 * The code in the notice. A browser names the one that it showed: a digest of ours is how its report came here, and stays no alias
 * of it; a framework's, a Next.js code for one, does.
 */
function shownCode({ digest, latest }: Issue): string | undefined {
  const shown = latest.filter(({ linked, kind }) => linked && kind === "notice");
  if (shown.length === 0) return undefined;
  const foreign = shown.map(({ aliases }) => aliases?.[0]);
  return foreign.includes(undefined) ? digest : foreign[0];
}
