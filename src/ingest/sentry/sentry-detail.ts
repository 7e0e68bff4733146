/**
 * The members of a Sentry event that a report has no field for, as its detail. The members that are
 * not stored are listed in src/docs/ingest-formats.md.
 * Source: Sentry develop docs › Event Payloads.
 */
import { asRecord, asText, type JsonFields } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { truncateText } from "../../core/truncate.ts";
import { listPairs } from "../decode/pairs.ts";
import type { Truncations } from "../decode/truncations.ts";

/** The detail of an event, undecoded, without members that it does not have. */
export function selectDetail(fields: JsonFields, truncations: Truncations): JsonFields {
  const { name, version } = asRecord(fields.sdk) ?? {};
  const modules = truncations.takeFirst("modules", listPairs(fields.modules), limits.maxMembers);
  return {
    contexts: fields.contexts,
    extra: fields.extra,
    user: selectUser(fields.user),
    transaction: fields.transaction,
    logger: fields.logger,
    server_name: fields.server_name,
    dist: asText(fields.dist)?.trim(),
    platform: fields.platform,
    sdk: name === undefined && version === undefined ? undefined : { name, version },
    debug_meta: fields.debug_meta,
    modules: modules.length === 0 ? undefined : Object.fromEntries(modules),
    template: fields.template ?? fields["sentry.interfaces.Template"],
  };
}

/** The user without their address. Some senders send only a name. */
function selectUser(value: unknown): JsonFields | undefined {
  const name = asText(value);
  if (name !== undefined) return { id: name };
  const { ip_address: _address, geo: _geo, ...user } = asRecord(value) ?? {};
  return Object.keys(user).length === 0 ? undefined : user;
}

/** Members that are tags of the report, or describe its tree of causes. */
const KNOWN_MECHANISM_MEMBERS: ReadonlySet<string> = new Set([
  ...["type", "handled", "synthetic", "source"],
  ...["exception_id", "parent_id", "is_exception_group"],
]);

/** The other facts about how an exception was caught: a signal, a description, a link. */
export function selectMechanism(mechanism: JsonFields | undefined): JsonFields | undefined {
  const others = Object.entries(mechanism ?? {}).filter(
    ([name, value]) => !KNOWN_MECHANISM_MEMBERS.has(name) && value !== null,
  );
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

/** Tags whose value is an object keep it as JSON. `site` is a tag of old SDKs. */
export function parseTags({ tags, site }: JsonFields, truncations: Truncations) {
  const pairs = [...listPairs(tags), ["site", site] as const];
  return truncations.takeFirst("tags", pairs, limits.maxTags).map(([name, value]) => {
    return [name, truncations.limitShown("tags", value, limits.maxStringChars)] as const;
  });
}

/** The user's id, email or name, in the application's terms. */
export function findUserKey(fields: JsonFields): string | undefined {
  const user = asRecord(fields.user) ?? {};
  const name =
    asText(fields.user) ?? asText(user.id) ?? asText(user.email) ?? asText(user.username);
  return name === undefined ? undefined : truncateText(name, limits.maxStringChars);
}
