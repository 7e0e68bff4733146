/** The texts by which the issues of a batch are found. */
import type { Digest } from "../../../core/report.ts";
import { isAtLeast, isTrusted, type Trust } from "../../../core/trust/trust.ts";
import type { SequencedItem } from "../../log/log-entries.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { toTitleSearchText } from "../state/title-search-text.ts";
import type { ReportBatch } from "./report-batch.ts";

/**
 * Adds the text of the first report of an issue, and of its first trusted one; otherwise that of
 * its title.
 */
export function addSearchTexts(
  { issues, search }: IndexTables,
  batch: ReportBatch,
  rows: readonly SequencedItem[],
): void {
  const ownTexts = new Map<Digest, { readonly trust: Trust; readonly text: string }>();
  const mergedTexts: (readonly [Digest, string])[] = [];
  for (const row of rows) {
    if (!("summary" in row) || row.searchText === undefined) continue;
    const { summary, searchText: text } = row;
    if (batch.collapsed.has(summary)) continue;
    const { trust } = summary;
    const digest = batch.issueOfReport.get(summary) ?? summary.digest;
    if (digest !== summary.digest) {
      // The sender of a public report could choose the words by which the issue is found.
      if (isTrusted(trust) || issues.isPublic(digest)) mergedTexts.push([digest, text]);
    } else {
      const known = ownTexts.get(digest);
      if (known === undefined || !isAtLeast(known.trust, trust))
        ownTexts.set(digest, { trust, text });
    }
  }
  const addedTexts = new Map<Digest, string>();
  const replacedTexts: (readonly [Digest, string])[] = [];
  for (const issue of batch.issues.values()) {
    const { digest, trust, count } = issue;
    const own = ownTexts.get(digest);
    // The sender of a lower level chose the stored words, which may differ from the error's.
    const text = own?.trust === trust ? own.text : toTitleSearchText(issue);
    const stored = batch.stored.get(digest) ?? null;
    if (own !== undefined || (stored === null && count > 0)) addedTexts.set(digest, text);
    if (stored !== null && !isAtLeast(stored.trust, trust)) replacedTexts.push([digest, text]);
  }
  // During a rebuild, the reports that the snapshot of the issue counts.
  for (const [digest, { trust, text }] of ownTexts) {
    if (!batch.issues.has(digest) && issues.get(digest)?.trust === trust)
      addedTexts.set(digest, text);
  }
  search.add(addedTexts);
  for (const [digest, text] of replacedTexts) search.replace(digest, text);
  for (const [digest, text] of mergedTexts) search.addText(digest, text);
}
