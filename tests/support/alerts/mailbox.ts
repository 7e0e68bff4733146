/** A mail service for the alert sender, which keeps its mails or refuses them. */
import { runInDurableObject } from "cloudflare:test";
import type { AlertSender } from "#src/store/alerts/alert-sender.ts";
import { bindings, getAlertSender } from "#support/store/store.ts";

/** A mail as the service receives it. */
interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** The mails that the alert sender of the project has sent. */
export class Mailbox {
  mails: Mail[] = [];
  /** The error of the service; undefined if it accepts mails. */
  refusal: string | undefined;

  /** Empties the mailbox, and gives the object the service. */
  async start(): Promise<void> {
    this.mails = [];
    this.refusal = undefined;
    await this.bind();
  }

  /** Gives the object the service, which it loses when it stops. */
  bind(): Promise<void> {
    const send = async (mail: Mail) => {
      if (this.refusal !== undefined) throw new Error(this.refusal);
      this.mails.push(mail);
    };
    return runInDurableObject(getAlertSender(), (instance: AlertSender) => {
      Object.assign(instance, {
        env: { ...bindings, EMAIL: { send }, ERRATA_MAIL_FROM: "errata@errata.example" },
      });
    });
  }

  /** The path and query of the link in the newest mail; empty without one. */
  readLink(): string {
    return /https:\/\/errata\.example(\/\S+)/.exec(this.mails.at(-1)?.text ?? "")?.[1] ?? "";
  }
}
