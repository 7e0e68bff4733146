/**
 * The trackers that Errata can create and follow issues in. Connections, their forms, calls and
 * webhooks derive from this table: to add a kind, write its file and name it here. Pure.
 */
import { alertLimits } from "../alerts/alert-limits.ts";
import { refuse } from "../alerts/decode.ts";
import { checkUrl, type TargetRules } from "../alerts/destinations/destination-kind.ts";
import { toInertUrl } from "../alerts/formats/inert-text.ts";
import { MAX_LABEL_CHARS, type NewTrackerLink } from "../issue/tracker-link.ts";
import { isPlainText } from "../plain-text.ts";
import { ok, type Result } from "../result.ts";
import { isSealed } from "../secrets/sealed-text.ts";
import { truncateText } from "../truncate.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { jira } from "./jira.ts";
import { linear } from "./linear.ts";
import type { Tracker, TrackerKindName } from "./tracker.ts";
import { STANDARD_HEADERS, type TrackerKind } from "./tracker-kind.ts";

/** The kinds, in the order of the form. */
export const TRACKERS: readonly TrackerKind[] = [github, gitlab, linear, jira];

const KINDS = new Map(TRACKERS.map((one) => [one.kind, one]));

/** The headers of webhooks that signatures, ids and events are in. */
export const HOOK_HEADERS: readonly string[] = [
  ...new Set(
    TRACKERS.flatMap(({ signatures, deliveryHeaders, eventHeader }) => [
      ...signatures.flatMap((one) => (one.scheme === "standard" ? STANDARD_HEADERS : [one.header])),
      ...deliveryHeaders,
      ...(eventHeader === undefined ? [] : [eventHeader]),
    ]),
  ),
];

export function getTrackerKind(kind: TrackerKindName): TrackerKind {
  const found = KINDS.get(kind);
  if (found === undefined) throw new Error(`no tracker ${kind}`);
  return found;
}

/** What people enter. A token or secret that is absent stays as it is. */
export type TrackerInput = Pick<
  Tracker,
  "kind" | "project" | "baseUrl" | "email" | "issueType" | "secret"
> & { readonly token?: string | undefined };

/** Visible ASCII characters: what a header can carry. */
const TOKEN = /^[!-~]{8,2000}$/;
const EMAIL = /^[^\s@:]{1,64}@[^\s@:]{1,255}$/;

/** The checked connection, or a sentence for the form. Empty members count as absent. */
export function readTracker(
  input: TrackerInput,
  known: Tracker | undefined,
  created: Pick<Tracker, "id" | "createdMs"> & { readonly secret: string },
  rules: TargetRules,
): Result<Tracker, { readonly reason: "invalid"; readonly detail: string }> {
  const kind = getTrackerKind(input.kind);
  const { label, projectWord, placeholder } = kind;
  const same = known?.kind === input.kind ? known : undefined;
  const project = kind.parseProject(input.project);
  if (project === undefined) return refuse(`Enter the ${projectWord}, such as ${placeholder}.`);
  const baseUrl = trim(input.baseUrl)?.replace(/\/+$/, "");
  const origin = baseUrl ?? kind.baseUrl;
  if (origin === undefined) return refuse(`Enter the address of ${label}.`);
  const place = { kind: input.kind, project, ...(baseUrl !== undefined && { baseUrl }) };
  const checked = checkTrackerUrl(place, rules);
  if (!checked.ok) return checked;
  // A token must not be sent to another address than the one that it was entered for.
  const isSameAddress = same?.baseUrl === baseUrl;
  const token = trim(input.token) ?? (isSameAddress ? same?.token : undefined);
  if (token === undefined || !isSecret(token)) return refuse("Enter the token.");
  const email = trim(input.email);
  if (email !== undefined && (input.kind !== "jira" || !EMAIL.test(email)))
    return refuse("Enter an email address only for Jira Cloud.");
  const issueType = trim(input.issueType);
  if (issueType !== undefined && (input.kind !== "jira" || !isPlainText(issueType, 80)))
    return refuse("Enter a type of issues only for Jira.");
  const entered = trim(input.secret);
  if (entered !== undefined && (kind.createsSecret !== true || !isSecret(entered)))
    return refuse("Enter a signing secret only for Linear, as Linear shows it.");
  // A secret that cannot be decrypted is replaced.
  const kept = same?.secret !== undefined && isSecret(same.secret) ? same.secret : undefined;
  const secret = entered ?? kept ?? (kind.createsSecret ? undefined : created.secret);
  return ok({
    ...place,
    id: known?.id ?? created.id,
    token,
    createdMs: known?.createdMs ?? created.createdMs,
    ...(email !== undefined && { email }),
    ...(issueType !== undefined && { issueType }),
    ...(secret !== undefined && { secret }),
  });
}

function isSecret(text: string): boolean {
  return TOKEN.test(text) && !isSealed(text);
}

function trim(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}

/** Accepts the address of a connection, before it is saved and before every call. */
export function checkTrackerUrl(
  { kind, baseUrl }: Pick<Tracker, "kind" | "baseUrl">,
  rules: TargetRules,
): Result<void, { readonly reason: "invalid"; readonly detail: string }> {
  const { label, baseUrl: publicUrl, isSelfHosted } = getTrackerKind(kind);
  if (baseUrl === undefined || baseUrl === publicUrl) return ok(undefined);
  const url = URL.parse(baseUrl);
  if (url === null || baseUrl.length > alertLimits.maxTargetChars)
    return refuse(`Enter the address of ${label}, such as https://tracker.example.com.`);
  if (url.search !== "" || url.hash !== "")
    return refuse("The address must not have a query or a fragment.");
  if (!isSelfHosted && !rules.allowedTargets.includes(url.host))
    return refuse(`${label} has only its public address.`);
  return checkUrl(baseUrl, rules);
}

/** The link to a URL: of an issue of one of these connections, or else a plain one. */
export function toTrackerLink(
  text: string,
  trackers: readonly Pick<Tracker, "id" | "kind" | "project" | "baseUrl">[],
): NewTrackerLink | undefined {
  const plain = toPlainLink(text);
  if (plain === undefined) return undefined;
  const url = new URL(plain.url);
  for (const tracker of trackers) {
    const found = getTrackerKind(tracker.kind).toItem(tracker, url);
    if (found !== undefined)
      return { url: `${url.origin}${url.pathname}`, ...found, tracker: tracker.id };
  }
  return plain;
}

/** A plain link to an `http(s)` URL; undefined for any other text. */
function toPlainLink(text: string): NewTrackerLink | undefined {
  const url = toInertUrl(text.trim());
  if (url === undefined) return undefined;
  const { host, pathname, username, password } = new URL(url);
  if (username !== "" || password !== "") return undefined;
  return { url, label: truncateText(`${host}${pathname.replace(/\/$/, "")}`, MAX_LABEL_CHARS) };
}
