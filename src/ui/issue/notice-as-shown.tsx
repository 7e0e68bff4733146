/** The notice as it was shown, where a browser has said that it was: what somebody holds a screenshot of. */
import type { Issue } from "../../core/issue/issue.ts";
import { Notice } from "../failure/notice.tsx";
import { useDesk } from "../parts/desk-context.tsx";

/** The notice as an exhibit; nothing while no visitor is known to have seen it. */
export function NoticeAsShown({ issue }: { readonly issue: Issue }) {
  const { base } = useDesk();
  const code = findShownCode(issue);
  if (code === undefined) return null;
  return (
    <section className="as-seen" aria-labelledby="as-seen-heading">
      <h2 id="as-seen-heading">As the visitor saw it</h2>
      <Notice digest={code} isCompact isExample base={base} />
    </section>
  );
}

/**
 * The code in the notice. A browser names the one that it showed: a digest of ours is how its report came here, and stays no alias
 * of it; a framework's, a Next.js code for one, does.
 */
function findShownCode({ digest, latestReports }: Issue): string | undefined {
  const notices = latestReports.filter(({ isLinked, kind }) => isLinked && kind === "notice");
  if (notices.length === 0) return undefined;
  const foreignCodes = notices.map(({ aliases }) => aliases?.[0]);
  return foreignCodes.includes(undefined) ? digest : foreignCodes[0];
}
