/** The form around a table of issues that changes the selected ones. */
import type { ReactNode } from "react";
import type { IssueListPage } from "../../../core/issue/issue-list-page.ts";
import type { IssueQuery } from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import { DeskForm } from "../../parts/desk-context.tsx";
import { formatNumber } from "../../parts/number.tsx";
import { formatListName } from "../../urls/issue-list-urls.ts";
import { BulkBar, RowActions } from "./bulk-bar.tsx";

/** A query and the page of it that is shown. */
interface Matches {
  readonly query: IssueQuery;
  readonly page: Pick<IssueListPage, "issues" | "total" | "isTotalCapped">;
}

/** The form. With `matches`, all issues of the query can be selected at once. */
export function BulkForm({
  returnTo,
  matches,
  children,
}: {
  returnTo: string;
  matches?: Matches;
  children: ReactNode;
}) {
  return (
    <DeskForm method="post" action="/issues/state" className="bulk">
      {/* The default button, so that Enter in a checkbox does nothing. */}
      <button type="submit" disabled hidden />
      <input type="hidden" name="returnTo" value={returnTo} />
      {children}
      <RowActions />
      <BulkBar selectAll={matches && <SelectMatching {...matches} />} />
    </DeskForm>
  );
}

/** Selects all issues of the query, on all pages; nothing if there is only one page. */
function SelectMatching({ query, page: { issues, total, isTotalCapped } }: Matches) {
  if (total <= issues.length) return null;
  const isBounded = isTotalCapped === true || total > limits.maxMatchesPerAction;
  const count = formatNumber(Math.min(total, limits.maxMatchesPerAction));
  return (
    <label className="select-matching">
      <input type="checkbox" name="matching" value={formatListName(query)} data-count={count} />
      {isBounded ? `The first ${count} of this list` : `All ${count} of this list`}
    </label>
  );
}
