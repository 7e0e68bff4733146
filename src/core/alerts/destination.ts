/** Where alert messages go. */
import type { SummaryChoice, SummaryPeriod } from "./periods/summary-period.ts";

/** Kinds whose only setting is a secret URL. */
export type UrlKind = "slack" | "discord" | "teams" | "google-chat" | "rocket-chat";

/** The settings of a destination. Stored by the alert sender; secrets never leave it. */
export type DestinationSettings =
  | { readonly [K in UrlKind]: { readonly kind: K; readonly url: string } }[UrlKind]
  /** `secret` signs the requests (Standard Webhooks): `whsec_` and base64. */
  | {
      readonly kind: "webhook";
      readonly url: string;
      readonly secret: string;
      /** The secret before a rotation; both sign until `previousUntilMs`. */
      readonly previousSecret?: string;
      readonly previousUntilMs?: number;
    }
  | { readonly kind: "email"; readonly to: readonly string[] }
  | { readonly kind: "ntfy"; readonly url: string; readonly token?: string }
  | { readonly kind: "telegram"; readonly token: string; readonly chatId: string }
  /** `url` is the origin of another region. */
  | { readonly kind: "pagerduty"; readonly token: string; readonly url?: string }
  | { readonly kind: "opsgenie"; readonly token: string; readonly url?: string }
  /** A browser of a person (RFC 8030): `endpoint`, and the keys of RFC 8291 in base64url. */
  | {
      readonly kind: "push";
      readonly endpoint: string;
      readonly p256dh: string;
      readonly auth: string;
    };

export type DestinationKind = DestinationSettings["kind"];

/** A destination of a project or of a person. Stored (version 1). */
export interface Destination {
  readonly id: string;
  readonly name: string;
  readonly settings: DestinationSettings;
  /** The id of a person whose own destination this is; absent for one of the project. */
  readonly person?: string;
  /** The origin at which the person saved it. Links use it until an owner has saved settings. */
  readonly origin?: string;
  /**
   * Unconfirmed email addresses, which get no alerts. Absent from destinations that
   * were saved before Errata asked.
   */
  readonly unconfirmed?: readonly string[];
  /** How often it gets a summary of the project, besides its alerts; absent for never. */
  readonly summaryEvery?: SummaryPeriod;
  /** Why and when it was disabled. */
  readonly disabled?: { readonly atMs: number; readonly reason: string };
}

/** True for a destination of the project or of `person`. */
export function concernsPerson(destination: Pick<Destination, "person">, person: string): boolean {
  return destination.person === undefined || destination.person === person;
}

/** The settings without unconfirmed email addresses; null if none is left. */
export function toConfirmedSettings({
  settings,
  unconfirmed = [],
}: Destination): DestinationSettings | null {
  if (settings.kind !== "email" || unconfirmed.length === 0) return settings;
  const to = settings.to.filter((address) => !unconfirmed.includes(address));
  return to.length === 0 ? null : { ...settings, to };
}

/** A destination as pages show it: no secrets, but enough to recognize it. */
export interface DestinationSummary {
  readonly id: string;
  readonly name: string;
  readonly kind: DestinationKind;
  /** The host and the last four characters, or the addresses: `hooks.slack.com …x7Qa`. */
  readonly target: string;
  /** Until when the secret before a rotation signs too, ms. */
  readonly previousUntilMs?: number;
  /** Until when no message is sent, because the service asked for a pause, ms. */
  readonly pausedUntilMs?: number;
  readonly person?: string;
  /** Email addresses that get no alerts until their owners confirm them. */
  readonly unconfirmed?: readonly string[];
  /** How often it gets a summary, `never` if it can; absent for kinds that get none. */
  readonly summaryEvery?: SummaryChoice;
  readonly disabled?: { readonly atMs: number; readonly reason: string };
}
