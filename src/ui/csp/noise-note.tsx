/** What extensions and injected scripts violated: counted, and no reason to change a policy. */
import { use } from "react";
import type { IssueListPage } from "../../core/issue/issue-query.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { pluralize } from "../parts/number.tsx";
import { toSearchUrl } from "../urls/issue-list-urls.ts";

/** The way to it; nothing where there is none. */
export function NoiseNote({ noise }: { readonly noise: Promise<IssueListPage> }) {
  const { total } = use(noise);
  if (total === 0) return null;
  return (
    <p className="muted apart">
      <DeskLink href={toSearchUrl("is:noise kind:csp")}>
        {pluralize(total, "violation")} kept apart as noise
      </DeskLink>
      : extensions, injected scripts, translated pages. No policy is tried against them.
    </p>
  );
}
