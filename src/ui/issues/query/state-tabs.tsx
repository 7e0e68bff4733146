/** The states as tabs: links that change the question's state and nothing else of it. */
import type { IssueState } from "../../../core/issue/issue.ts";
import type { IssueQuery } from "../../../core/issue/issue-query.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { toIssueListUrl } from "../../urls/issue-list-urls.ts";

const TABS: readonly {
  readonly label: string;
  readonly states: readonly IssueState[];
  readonly isNoise?: true;
}[] = [
  { label: "Open", states: ["open"] },
  { label: "Resolved", states: ["resolved"] },
  { label: "Ignored", states: ["ignored"] },
  { label: "Muted", states: ["muted"] },
  { label: "All", states: [] },
  { label: "Noise", states: [], isNoise: true },
];

/** The tabs; none is open where the question asks for several states. */
export function StateTabs({ query }: { readonly query: IssueQuery }) {
  return (
    <nav className="tabs" aria-label="State">
      <ul>
        {TABS.map(({ label, states, isNoise = false }) => {
          const isHere = query.isNoise === isNoise && String(query.states) === String(states);
          return (
            <li key={label}>
              <DeskLink
                id={`tab-${label.toLowerCase()}`}
                href={toIssueListUrl({ query: { ...query, states, isNoise } })}
                aria-current={isHere ? "page" : undefined}
                data-text={label}
              >
                {label}
              </DeskLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
