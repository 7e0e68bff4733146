/** The notice or code that visitors saw, if a browser has reported that it was shown. */
import type { Issue } from "../../core/issue/issue.ts";
import { sortByTrust } from "../../core/issue/related-reports.ts";
import { Notice } from "../failure/notice.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { useDesk } from "../parts/desk-context.tsx";
import { toReceiptUrl } from "../urls/receipt-urls.ts";

/**
 * The notice as an example if it was Errata's own. Otherwise only the code, because frameworks and
 * sites have other texts around it. Nothing if no browser has reported showing a code.
 */
export function ShownNotice({ issue }: { issue: Issue }) {
  const { base } = useDesk();
  const code = findShownCode(issue);
  if (code === undefined) return null;
  const isOwnNotice = code === issue.digest;
  return (
    <section className="shown-notice" aria-labelledby="notice-heading">
      <h2 id="notice-heading">
        {isOwnNotice ? "Notice on the visitor’s screen" : "Code on the visitor’s screen"}
      </h2>
      {isOwnNotice ? (
        <Notice digest={code} isCompact isExample base={base} />
      ) : (
        <div className="shown-code">
          <p>
            <code>{code}</code> <CopyButton text={code} label="the code" />
          </p>
          <p className="muted">
            This text is from the page’s framework. The site may show other text around it.{" "}
            <a href={base + toReceiptUrl(issue.digest)}>Receipt</a>
          </p>
        </div>
      )}
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
