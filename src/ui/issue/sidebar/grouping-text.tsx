/** Why the reports of an issue are together. */

import { Fragment } from "react";
import { REQUIRED_ROLES } from "../../../core/accounts/required-roles.ts";
import { explainGrouping, listKeyDifferences } from "../../../core/grouping/explain-grouping.ts";
import { canSplitByStack } from "../../../core/grouping/stack-identity.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { Digest, ReportGrouping } from "../../../core/report.ts";
import { DeskForm, DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { toIssueActionUrl, toIssueUrl } from "../../urls/issue-urls.ts";

/** The section of similar issues. */
export const SIMILAR_ID = "similar";

/** The section of the key. */
export const GROUPING_ID = "grouping";

const VALUE_CHARS = 160;

/**
 * The sentence, the version of the rules, and whether new reports are split by stack; nothing until
 * a report says why.
 */
export function Grouping({
  issue,
  splitDigests,
}: {
  readonly issue: Issue;
  /** The digests that the project splits by stack. */
  readonly splitDigests: readonly Digest[];
}) {
  const { grouping } = issue;
  const pieces = grouping === undefined ? [] : explainGrouping(grouping);
  if (pieces.length === 0) return null;
  return (
    <section id={GROUPING_ID} className="grouping" aria-labelledby="grouping-heading">
      <h2 id="grouping-heading" className="visually-hidden">
        Grouping
      </h2>
      <p>
        {pieces.map(({ text, isValue }, n) =>
          // The pieces have no ids, and their order never changes.
          isValue ? <Value key={n} text={text} /> : <Fragment key={n}>{text}</Fragment>,
        )}
        .
      </p>
      <details>
        <summary>Change</summary>
        <p className="muted">
          Rules version {grouping?.version}.{" "}
          <DeskLink href={`#${SIMILAR_ID}`}>Similar issues</DeskLink>
        </p>
        <StackSplit issue={issue} splitDigests={splitDigests} />
      </details>
    </section>
  );
}

/** Whether new reports count by stack, with the button that changes it. */
function StackSplit({ issue, splitDigests }: Parameters<typeof Grouping>[0]) {
  const { digest, grouping } = issue;
  const source = grouping?.splitFrom;
  if (source !== undefined)
    return (
      <>
        <p>
          Split by stack from <DeskLink href={toIssueUrl(source)}>{source}</DeskLink>.
        </p>
        {splitDigests.includes(source) && <SplitForm digest={source} isSplit />}
      </>
    );
  if (!canSplitByStack(issue)) return null;
  const isSplit = splitDigests.includes(digest);
  return (
    <>
      {isSplit && (
        <p>
          Split by stack. New reports count in{" "}
          <DeskLink href={`#${SIMILAR_ID}`}>issues of their stacks</DeskLink>.
        </p>
      )}
      <SplitForm digest={digest} isSplit={isSplit} />
    </>
  );
}

function SplitForm({ digest, isSplit }: { readonly digest: Digest; readonly isSplit: boolean }) {
  const name = isSplit ? "groupTogether" : "splitByStack";
  return (
    <DeskForm
      requiredRole={REQUIRED_ROLES.triage}
      method="post"
      action={toIssueActionUrl(digest, "annotations")}
    >
      <button type="submit" className="small" name={name} value="1">
        {isSplit ? "Count together again" : "Split by stack"}
      </button>
      {!isSplit && (
        <p className="muted">
          New reports with different stacks count in separate issues. Past counts stay here.
        </p>
      )}
    </DeskForm>
  );
}

/** "other function `shop.cart#add`": how another key differs; nothing if it is unknown. */
export function KeyDifferences({
  own,
  other,
}: {
  own: ReportGrouping | undefined;
  other: ReportGrouping | undefined;
}) {
  const differences = listKeyDifferences(own, other);
  if (differences.length === 0) return null;
  return (
    <p className="key-differences">
      {differences.map(({ words, value }) => (
        <span key={words}>
          {words} {value !== undefined && <Value text={value} />}
        </span>
      ))}
    </p>
  );
}

function Value({ text }: { text: string }) {
  return (
    <code>
      <bdi>{abbreviate(text, VALUE_CHARS)}</bdi>
    </code>
  );
}
