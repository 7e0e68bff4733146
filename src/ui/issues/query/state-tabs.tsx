/** The states as tabs: links that change only the state of the query. */

import type { IssueQuery } from "../../../core/issue/issue-query.ts";
import { ISSUE_STATES, type IssueState, STATE_NAMES } from "../../../core/issue/issue-states.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { toIssueListUrl } from "../../urls/issue-list-urls.ts";

const TABS: readonly {
  readonly label: string;
  readonly states: readonly IssueState[];
  readonly isNoise?: true;
}[] = [
  ...STATE_NAMES.map((state) => ({ label: ISSUE_STATES[state].label, states: [state] })),
  { label: "All", states: [] },
  { label: "Noise", states: [], isNoise: true },
];

/** The tabs. None is current if the query has several states. */
export function StateTabs({ query }: { query: IssueQuery }) {
  return (
    <nav className="tabs" aria-label="State">
      <ul>
        {TABS.map(({ label, states, isNoise = false }) => {
          const isCurrent = query.isNoise === isNoise && String(query.states) === String(states);
          return (
            <li key={label}>
              <DeskLink
                id={`tab-${label.toLowerCase()}`}
                href={toIssueListUrl({ query: { ...query, states, isNoise } })}
                aria-current={isCurrent ? "page" : undefined}
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
