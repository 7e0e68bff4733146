/**
 * What each kind of destination declares: its settings and their form, the address that it calls,
 * its messages, and what the answers of its service mean. One file per kind; `destinations.ts`
 * lists them. Pure.
 */
import * as v from "valibot";
import { ok, type Result } from "../../result.ts";
import { alertLimits } from "../alert-limits.ts";
import type { AlertMessage } from "../alert-message.ts";
import { refuse } from "../decode.ts";
import type { EmailBody } from "../formats/mail/email-body.ts";
import type { AnswerRules } from "./delivery-result.ts";
import { parseTarget } from "./target-address.ts";

/** Accepted, or a sentence for the form. */
export type Checked = Result<void, { readonly reason: "invalid"; readonly detail: string }>;

/** Where Errata may send to. */
export interface TargetRules {
  /** Hosts with ports, `127.0.0.1:18900`, that no address rule applies to. */
  readonly allowedTargets: readonly string[];
  /** The host of Errata itself. */
  readonly ownHost?: string | undefined;
}

/** A setting in the form of a destination, from the metadata of its schema. */
export interface SettingField {
  readonly label: string;
  readonly placeholder: string;
  readonly isOptional?: true;
  /** The setting is a list; the text has spaces or commas between its values. */
  readonly isList?: true;
}

/** The schema of the settings, as entries of an object. Those with a `field` are in the form. */
export type Settings = v.ObjectEntries;

/** The values of settings. */
export type SettingValues<S extends Settings> = Readonly<
  v.InferOutput<v.ObjectSchema<S, undefined>>
>;

/** How a message reaches its destination; `store/alerts/send` does it. */
export type OutgoingCall =
  | {
      readonly kind: "json";
      /** `GET` has no body: it tests a service whose other requests have effects. */
      readonly method?: "GET";
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: object;
      /** Secrets that sign the body (Standard Webhooks). */
      readonly signedWith?: readonly string[];
    }
  /** To a browser (RFC 8030), encrypted with the keys of its subscription (RFC 8291). */
  | {
      readonly kind: "push";
      readonly endpoint: string;
      readonly p256dh: string;
      readonly auth: string;
      readonly payload: object;
      readonly topic: string;
      readonly isUrgent: boolean;
    }
  /** By the binding for mail. */
  | { readonly kind: "mail"; readonly to: readonly string[]; readonly mail: EmailBody };

/** One kind of destination. */
export interface DestinationKindOf<K extends string = string, S extends Settings = Settings> {
  readonly kind: K;
  /** The name of the service. */
  readonly label: string;
  /** What its form needs; absent for a kind that only persons add, on a page of its own. */
  readonly hint?: string;
  /** The name after *Add*, if that is no name of a service: `webhook`. */
  readonly noun?: string;
  /**
   * True if it leads to a coding agent: it gets hand-offs with identifiers only, from rules that
   * name it and from members.
   */
  readonly isAgent?: true;
  readonly settings: S;
  /** True if Errata creates its setting `secret`, and shows it once. */
  readonly createsSecret?: true;
  /** Checks the address before each request; the schema has checked the settings. */
  checkTarget?(settings: SettingValues<S>, rules: TargetRules): Checked;
  /** The text of pages: no secrets, but enough to recognize it. */
  describeTarget(settings: SettingValues<S>): string;
  createCall(settings: SettingValues<S>, message: AlertMessage, nowMs: number): OutgoingCall;
  readonly answers?: AnswerRules;
  /** True if the service closes its alert when the issue is resolved. */
  readonly isClosing?: true;
  /** True if a destination can ask for a summary of each day or week. */
  readonly hasSummaries?: true;
}

/** Returns the definition, whose settings type the parameters of its functions. */
export function defineDestination<const K extends string, S extends Settings>(
  definition: DestinationKindOf<K, S>,
): DestinationKindOf<K, S> {
  return definition;
}

/** The kind whose only setting is a secret URL. */
export function defineUrlDestination<const K extends string>({
  placeholder,
  toCall,
  ...definition
}: Pick<DestinationKindOf<K>, "kind" | "label" | "hint" | "answers"> & {
  readonly placeholder: string;
  readonly toCall: (
    url: string,
    message: AlertMessage,
  ) => { readonly url?: string; readonly body: object };
}) {
  return defineDestination({
    ...definition,
    settings: { url: urlSetting(placeholder) },
    checkTarget: ({ url }, rules) => checkUrl(url, rules),
    describeTarget: ({ url }) => maskUrl(url),
    createCall: ({ url }, message) => ({ kind: "json", url, ...toCall(url, message) }),
  });
}

/** An address; `checkUrl` says which ones Errata may call. */
export function urlSetting(placeholder: string) {
  const field: SettingField = { label: "URL", placeholder };
  return v.pipe(v.string("Enter a URL that begins with https://."), v.metadata({ field }));
}

/** A key of visible ASCII characters. */
export function keySetting(
  { problem, ...field }: Pick<SettingField, "label" | "placeholder"> & { readonly problem: string },
  pattern: RegExp,
) {
  return v.pipe(
    v.string(problem),
    v.maxLength(alertLimits.maxTargetChars, problem),
    v.regex(pattern, problem),
    v.metadata({ field }),
  );
}

/** The origin of a service in another region. */
export function regionSetting(placeholder: string) {
  const label = "Address of another region, if needed";
  const field: SettingField = { label, placeholder, isOptional: true };
  return v.pipe(v.optional(v.string()), v.metadata({ field }));
}

/** Accepts a URL that the rules for targets allow. */
export function checkUrl(url: string, { allowedTargets, ownHost }: TargetRules): Checked {
  const target = parseTarget(url, allowedTargets, ownHost);
  return target.ok ? ok(undefined) : target;
}

/**
 * Accepts an origin of a service, such as `https://api.eu.opsgenie.com`, from a list of hosts, and
 * the exceptions of the configuration.
 */
export function checkServiceUrl(
  url: string,
  hosts: readonly string[],
  rules: TargetRules,
): Checked {
  const checked = checkUrl(url, rules);
  if (!checked.ok) return checked;
  const { hostname, host } = new URL(url);
  return hosts.includes(hostname) || rules.allowedTargets.includes(host)
    ? ok(undefined)
    : refuse(`The host must be ${hosts.join(" or ")}.`);
}

/** `hooks.slack.com …x7Qa`: the path of a webhook is a secret. */
export function maskUrl(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : "invalid address";
  return `${host} …${url.slice(-4)}`;
}

/** `api.opsgenie.com …x7Qa`. */
export function maskKey(key: string, url: string): string {
  return `${new URL(url).host} …${key.slice(-4)}`;
}
