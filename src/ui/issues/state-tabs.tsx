/** The states as tabs: links that change the question's state and nothing else of it. */
import type { IssueState } from "../../core/issue.ts";
import type { IssueQuery } from "../../core/issue-query.ts";
import { A } from "../place.tsx";
import { listUrl } from "./list-url.ts";

const TABS: readonly {
  readonly word: string;
  readonly states: readonly IssueState[];
  readonly isNoise?: true;
}[] = [
  { word: "Open", states: ["open"] },
  { word: "Resolved", states: ["resolved"] },
  { word: "Ignored", states: ["ignored"] },
  { word: "Muted", states: ["muted"] },
  { word: "All", states: [] },
  { word: "Noise", states: [], isNoise: true },
];

/** The tabs; none is open where the question asks for several states. */
export function StateTabs({ query }: { readonly query: IssueQuery }) {
  return (
    <nav className="tabs" aria-label="State">
      <ul>
        {TABS.map(({ word, states, isNoise = false }) => {
          const isHere = query.isNoise === isNoise && String(query.states) === String(states);
          return (
            <li key={word}>
              <A
                id={`tab-${word.toLowerCase()}`}
                href={listUrl({ query: { ...query, states, isNoise } })}
                aria-current={isHere ? "page" : undefined}
                data-text={word}
              >
                {word}
              </A>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
