/**
 * Asks the owners of mail addresses whether they want the alerts, so that a member cannot make
 * Errata mail other people: one mail to each address, and no other one before its link was opened.
 */

import { createHash } from "node:crypto";
import { getProjectBasePath } from "../../core/accounts/project-path.ts";
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import type { DeliveryResult } from "../../core/alerts/destinations/delivery-result.ts";
import { escapeMarkup } from "../../core/alerts/formats/inert-text.ts";
import type { EmailBody } from "../../core/alerts/formats/mail/email-body.ts";
import { DAY_MS, HOUR_MS } from "../../core/utc-time.ts";
import { createConfirmationPath } from "./action-links.ts";
import type { SenderSettings } from "./sender-settings.ts";
import type { AlertTables } from "./tables/alert-tables.ts";

export class AddressConfirmations {
  readonly #deps;

  constructor(deps: {
    readonly project: string;
    readonly tables: Pick<AlertTables, "confirmations">;
    readonly settings: Pick<SenderSettings, "get">;
    /** The origin that the configuration states. */
    readonly origin: string | undefined;
    readonly send: (address: string, mail: EmailBody) => Promise<DeliveryResult>;
    readonly nowMs: () => number;
  }) {
    this.#deps = deps;
  }

  /**
   * Sends the mail to each unconfirmed address of a destination, within the limits of
   * `alertLimits`. Never rejects. Resolves to the number of mails.
   */
  async ask(destination: string): Promise<number> {
    const { project, tables, settings, origin, send, nowMs } = this.#deps;
    const { destinations, actionKey, origin: savedOrigin } = settings.get();
    const found = destinations.find(({ id }) => id === destination);
    const base = origin ?? savedOrigin ?? found?.origin ?? "";
    let sent = 0;
    for (const address of found?.unconfirmed ?? []) {
      const atMs = nowMs();
      const hash = createHash("sha256").update(address.toLowerCase()).digest("hex");
      const { confirmations } = tables;
      const isAllowed =
        confirmations.count(atMs - HOUR_MS, hash) < alertLimits.maxConfirmationsOfAddress &&
        confirmations.count(atMs - DAY_MS) < alertLimits.maxConfirmations;
      if (!isAllowed) continue;
      // Counted before the attempt: a service may accept a mail and not answer.
      confirmations.add(atMs, hash);
      const untilMs = atMs + alertLimits.confirmationMs;
      const path = createConfirmationPath({ project, actionKey }, address, untilMs);
      await send(address, createMail(base, `${base}${getProjectBasePath(project)}${path}`));
      sent += 1;
    }
    return sent;
  }
}

/** Contains no text that a member entered. */
function createMail(origin: string, link: string): EmailBody {
  const intro = `This address was entered for alerts of Errata at ${origin}.`;
  const open = "Open this link to receive them:";
  const end = "If you did not expect this mail, ignore it. No other one follows.";
  const url = escapeMarkup(link);
  return {
    subject: "Confirm this address for alerts of Errata",
    text: `${intro}\n\n${open}\n${link}\n\n${end}\n`,
    html: `<p>${escapeMarkup(intro)}</p><p>${open}<br><a href="${url}">${url}</a></p><p>${end}</p>`,
    headers: {},
  };
}
