/** Links to the violations that extensions and injected scripts caused. */
import { use } from "react";
import type { IssueListPage } from "../../core/issue/issue-list-page.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { pluralizeTotal } from "../parts/number.tsx";
import { toSearchUrl } from "../urls/issue-list-urls.ts";

/** The link; nothing if there are none. */
export function NoiseNote({ noise }: { readonly noise: Promise<IssueListPage> }) {
  const page = use(noise);
  if (page.total === 0) return null;
  return (
    <p className="muted spaced">
      <DeskLink href={toSearchUrl("is:noise kind:csp")}>
        {pluralizeTotal(page, "violation")} hidden as noise
      </DeskLink>
      : extensions, injected scripts, translated pages. Policies are not tested against them.
    </p>
  );
}
