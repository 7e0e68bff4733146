/** A kind of destination: it reads, checks and shows its settings, and creates the request. */
import { ok, type Result } from "../../result.ts";
import { alertLimits } from "../alert-limits.ts";
import type { AlertMessage } from "../alert-message.ts";
import { refuse } from "../decode.ts";
import type { DestinationKind, DestinationSettings, UrlKind } from "../destination.ts";
import { parseTarget } from "../target-address.ts";

/** The settings of one kind. */
export type SettingsOf<K extends DestinationKind> = Extract<
  DestinationSettings,
  { readonly kind: K }
>;

/** Accepted, or a sentence for the form. */
export type Checked = Result<void, { reason: "invalid"; detail: string }>;

/** Where Errata may send to. */
export interface TargetRules {
  /** Hosts with ports, `127.0.0.1:18900`, that no address rule applies to. */
  readonly allowedTargets: readonly string[];
  /** The host of Errata itself. */
  readonly ownHost?: string | undefined;
}

/** A `POST` of JSON. */
export interface JsonRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** The fields of a form. Each is trimmed, and empty if it is absent. */
export type FieldReader = (name: "url" | "to" | "token" | "chatId") => string;

/** One kind of destination, by its settings. */
export interface KindDefinition<S> {
  /** The settings that a form has; absent for kinds that no form of a project adds. */
  read?(field: FieldReader, newSecret: string): S;
  check(settings: S, rules: TargetRules): Checked;
  /** The text of pages: no secrets, but enough to recognize it. */
  describeTarget(settings: S): string;
  /** The request of a message; absent for kinds that sign or encrypt it, or send mail. */
  createRequest?(settings: S, message: AlertMessage): JsonRequest;
  /** True if the service closes its alert when the issue is resolved. */
  readonly isClosing?: true;
  /** True if a destination can ask for a summary of each day or week. */
  readonly hasSummaries?: true;
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

/** Accepts a key of visible ASCII characters. */
export function checkKey(key: string, pattern: RegExp, expected: string): Checked {
  return key.length <= alertLimits.maxTargetChars && pattern.test(key)
    ? ok(undefined)
    : refuse(expected);
}

/** `hooks.slack.com …x7Qa`: the path of a webhook is a secret. */
export function maskUrl(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : "invalid address";
  return `${host} …${url.slice(-4)}`;
}

/** The kind whose only setting is a secret URL. */
export function createUrlKind<K extends UrlKind>(
  kind: K,
  toRequest: (url: string, message: AlertMessage) => JsonRequest,
): KindDefinition<{ readonly kind: K; readonly url: string }> {
  return {
    read: (field) => ({ kind, url: field("url") }),
    check: ({ url }, rules) => checkUrl(url, rules),
    describeTarget: ({ url }) => maskUrl(url),
    createRequest: ({ url }, message) => toRequest(url, message),
  };
}

/** The settings of a service that is called with a key; `url` is the origin of another region. */
interface KeySettings {
  readonly token: string;
  readonly url?: string;
}

/** Reads and shows the settings of a service that is called with a key. */
export function createKeyKind<K extends DestinationKind>(kind: K, defaultUrl: string) {
  return {
    read: (field: FieldReader) => ({
      kind,
      token: field("token"),
      ...(field("url") !== "" && { url: field("url") }),
    }),
    describeTarget: ({ token, url = defaultUrl }: KeySettings) =>
      `${new URL(url).host} …${token.slice(-4)}`,
  };
}
