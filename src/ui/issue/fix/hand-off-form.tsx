/** Hands an issue to a coding agent. */
import { REQUIRED_ROLES } from "../../../core/accounts/required-roles.ts";
import type { AgentDestination } from "../../../core/alerts/hand-off.ts";
import { getCurrentState } from "../../../core/issue/decision.ts";
import type { FixStatus } from "../../../core/issue/fix-status.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { DeskForm } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { toIssueActionUrl } from "../../urls/issue-urls.ts";

const MAX_NAME_CHARS = 40;

/** A button for each agent; nothing without agents, and for an issue that agents do not get. */
export function HandOffForm({
  issue,
  fix,
  agents,
  nowMs,
}: {
  issue: Issue;
  fix: Pick<FixStatus, "state" | "handOff"> | undefined;
  agents: readonly Pick<AgentDestination, "id" | "name">[];
  nowMs: number;
}) {
  if (agents.length === 0 || getCurrentState(issue, nowMs) !== "open") return null;
  const isServer = issue.trust === "server";
  const isBusy = fix?.handOff !== undefined || fix?.state === "proposed" || fix?.state === "merged";
  return (
    <section className="side-action" aria-labelledby="hand-off-heading">
      <h2 id="hand-off-heading">{isBusy ? "Hand off again" : "Hand off"}</h2>
      {isServer ? (
        <>
          <DeskForm
            requiredRole={REQUIRED_ROLES.triage}
            className="hand-off"
            method="post"
            action={toIssueActionUrl(issue.digest, "annotations")}
          >
            {agents.map(({ id, name }) => (
              <button
                key={id}
                type="submit"
                className="small"
                name={isBusy ? "handOffAgain" : "handOff"}
                value={id}
              >
                <span>
                  To <bdi>{abbreviate(name, MAX_NAME_CHARS)}</bdi>
                </span>
              </button>
            ))}
          </DeskForm>
          <p className="muted">The agent gets the digest, and reads the issue through MCP.</p>
        </>
      ) : (
        <p className="muted">Only issues that servers reported are handed to agents.</p>
      )}
    </section>
  );
}
