/** What extensions and injected scripts violated: counted, and no reason to change a policy. */
import { use } from "react";
import type { IssuePage } from "../../core/issue-query.ts";
import { counted } from "../figure.tsx";
import { searchUrl } from "../issues/list-url.ts";
import { A } from "../place.tsx";

/** The way to it; nothing where there is none. */
export function PolicyNoise({ noise }: { readonly noise: Promise<IssuePage> }) {
  const { total } = use(noise);
  if (total === 0) return null;
  return (
    <p className="aside apart">
      <A href={searchUrl("is:noise kind:csp")}>{counted(total, "violation")} kept apart as noise</A>
      : extensions, injected scripts, translated pages. No policy is tried against them.
    </p>
  );
}
