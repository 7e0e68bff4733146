/**
 * Prepares messages to coding agents. The index decides whether an issue is handed off, and records
 * it, before each attempt; the message has identifiers only.
 */
import type { AlertMessage } from "../../core/alerts/alert-message.ts";
import {
  type Destination,
  toAgentDestination,
} from "../../core/alerts/destinations/destinations.ts";
import type { DueAlert } from "../../core/alerts/due-alert.ts";
import type { HandOffFacts, HandOffRefusal, SentHandOff } from "../../core/alerts/hand-off.ts";
import { keepWanted } from "../../core/alerts/judging/keep-wanted.ts";
import { renderHandOff } from "../../core/alerts/render-message.ts";
import type { Result } from "../../core/result.ts";
import type { SenderSettings } from "./sender-settings.ts";
import type { Delivery } from "./tables/delivery-table.ts";

export class HandOffs {
  readonly #deps;

  constructor(deps: {
    readonly project: string;
    readonly settings: Pick<SenderSettings, "get">;
    /** The origin that the configuration states. */
    readonly origin: string | undefined;
    /** `ProjectIndex.takeHandOff`. Rejects while the index is unavailable. */
    readonly take: (
      handOff: SentHandOff,
    ) => Promise<Result<HandOffFacts, { readonly reason: HandOffRefusal }>>;
    /** Called with an alert that is not sent. */
    readonly onHeldBack: (alert: DueAlert) => void;
    readonly nowMs: () => number;
  }) {
    this.#deps = deps;
  }

  /** The message to the agent of a destination; null if it must not be sent. */
  async render(delivery: Delivery, destination: Destination): Promise<AlertMessage | null> {
    const { project, settings, take, onHeldBack, nowMs } = this.#deps;
    const { message: id, kind, dueMs, contents } = delivery;
    const { origin: savedOrigin = destination.origin ?? "", rules } = settings.get();
    const { origin = savedOrigin } = this.#deps;
    const context = { id, project, origin };
    if (kind === "test") return renderHandOff({ ...context, atMs: dueMs });
    const [alert] = contents.alerts.map((one) => one.alert);
    const agent = toAgentDestination(destination);
    if (alert?.digest === undefined || agent === null) return null;
    const wanted = keepWanted(alert, { rules, destination, issue: undefined, nowMs: nowMs() });
    if (typeof wanted === "string") {
      onHeldBack({ ...alert, held: wanted });
      return null;
    }
    const { digest, atMs, handOff } = alert;
    const taken = await take({ digest, agent, message: id, request: handOff?.request });
    if (taken.ok) return renderHandOff({ ...context, atMs, facts: taken.value });
    onHeldBack({ ...alert, held: `hand-off-${taken.reason}` });
    return null;
  }
}
