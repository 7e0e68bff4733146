/** Who should fix an issue, by the rules of the project or CODEOWNERS. */
import { REQUIRED_ROLES } from "../../../core/accounts/required-roles.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { SuggestedOwner } from "../../../core/repositories/suggest-owner.ts";
import { DeskForm, DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { toIssueActionUrl } from "../../urls/issue-urls.ts";
import { REPOSITORIES_URL } from "../../urls/settings-urls.ts";

const NAME_CHARS = 60;
const MATCH_CHARS = 80;
const MAX_OWNERS = 4;

/** The owners with the reason, and a button that assigns the issue; nothing if it is assigned. */
export function SuggestedOwnerText({
  issue: { digest, assignee },
  owner,
}: {
  issue: Issue;
  owner: SuggestedOwner | undefined;
}) {
  if (owner === undefined || assignee !== undefined) return null;
  const { owners, member, source, pattern, line, matched } = owner;
  const others = owners.length - MAX_OWNERS;
  return (
    <section aria-labelledby="owner-heading">
      <h2 id="owner-heading">Suggested owner</h2>
      <p>
        {owners.slice(0, MAX_OWNERS).map((name, n) => (
          <span key={name}>
            {n > 0 && ", "}
            <bdi>{abbreviate(name, NAME_CHARS)}</bdi>
          </span>
        ))}
        {others > 0 && ` and ${others} more`}
        {member !== undefined && member !== owners[0] && (
          <>
            {": "}
            <bdi>{abbreviate(member, NAME_CHARS)}</bdi>
          </>
        )}
      </p>
      <p className="muted">
        <bdi>
          <code>{abbreviate(matched, MATCH_CHARS)}</code>
        </bdi>{" "}
        matches <code>{abbreviate(pattern, MATCH_CHARS)}</code> in line {line} of{" "}
        {source === "codeowners" ? (
          "CODEOWNERS"
        ) : (
          <DeskLink href={`${REPOSITORIES_URL}#owners`}>the rules</DeskLink>
        )}
        .
      </p>
      {member !== undefined && (
        <DeskForm
          requiredRole={REQUIRED_ROLES.triage}
          method="post"
          action={toIssueActionUrl(digest, "annotations")}
        >
          <input type="hidden" name="assign" value={member} />
          <button type="submit">
            <span>
              Assign to <bdi>{abbreviate(member, NAME_CHARS)}</bdi>
            </span>
          </button>
        </DeskForm>
      )}
    </section>
  );
}
