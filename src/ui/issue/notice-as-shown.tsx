/** The notice as visitors saw it, if a browser has reported that it was shown. */
import type { Issue } from "../../core/issue/issue.ts";
import { sortByTrust } from "../../core/issue/related-reports.ts";
import { Notice } from "../failure/notice.tsx";
import { useDesk } from "../parts/desk-context.tsx";

/** The notice as an example; nothing if no browser has reported showing it. */
export function NoticeAsShown({ issue }: { readonly issue: Issue }) {
  const { base } = useDesk();
  const code = findShownCode(issue);
  if (code === undefined) return null;
  return (
    <section className="notice-as-shown" aria-labelledby="notice-heading">
      <h2 id="notice-heading">Notice shown to the visitor</h2>
      <Notice digest={code} isCompact isExample base={base} />
    </section>
  );
}

/**
 * The code in the notice, which browsers report. A digest of Errata only links the report to the
 * issue; a framework's code, such as a Next.js digest, is stored as an alias. Only notices of the
 * highest trust level count.
 */
function findShownCode({ digest, latestReports }: Issue): string | undefined {
  const all = latestReports.filter(({ isLinked, kind }) => isLinked && kind === "notice");
  const level = sortByTrust(all)[0]?.trust;
  const notices = all.filter(({ trust }) => trust === level);
  if (notices.length === 0) return undefined;
  const foreignCodes = notices.map(({ aliases }) => aliases?.[0]);
  return foreignCodes.includes(undefined) ? digest : foreignCodes[0];
}
