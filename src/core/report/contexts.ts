/** The user, contexts and extra data of a report as groups of names and values. Pure. */
import type { Frame, Json, LogTemplate, Report } from "../report.ts";

/** One group: `user`, the name of a context, or `extra`. Never empty. */
export interface ContextGroup {
  readonly name: string;
  readonly pairs: readonly (readonly [name: string, value: string])[];
  /** True for groups about the machine and the runtime, which SDKs add to every report. */
  readonly isSystem: boolean;
}

const MAX_GROUPS = 24;
const MAX_PAIRS_PER_GROUP = 40;
const MAX_MODULES = 100;

/** Source: Sentry develop docs › Event Payloads › Contexts. */
const SYSTEM_GROUPS: ReadonlySet<string> = new Set([
  ...["app", "browser", "client_os", "cloud_resource", "culture", "device", "gpu", "modules", "os"],
  ...["otel", "runtime", "trace"],
]);

/**
 * The groups of a report's details that have members: the user first, then the server with its
 * runtime, where the event happened, the contexts in the order in which they were sent, `extra` and
 * the modules. Values that are not strings are JSON.
 */
export function listContexts({ detail }: Pick<Report, "detail">): readonly ContextGroup[] {
  const { user, contexts, extra, modules, thread, mechanism, template, ...rest } =
    asJsonObject(detail);
  const { server_name: server, transaction, logger } = rest;
  const { name, version } = asJsonObject(asJsonObject(contexts).runtime);
  const runtime = [name, version].filter((part) => typeof part === "string").join(" ");
  const groups = [
    ["user", user],
    ["server", { name: server ?? null, runtime: runtime || null }],
    ["event", { transaction: transaction ?? null, logger: logger ?? null }],
    ["thread", thread],
    ["mechanism", mechanism],
    ["template", template],
    ...Object.entries(asJsonObject(contexts)).map(
      ([name, value]) => [name, omitType(value)] as const,
    ),
    ["extra", extra],
    ["modules", modules],
  ] as const;
  return groups
    .map(([name, value]): ContextGroup => {
      const pairs = toPairs(value).slice(0, name === "modules" ? MAX_MODULES : MAX_PAIRS_PER_GROUP);
      return { name, pairs, isSystem: SYSTEM_GROUPS.has(name) };
    })
    .filter(({ pairs }) => pairs.length > 0)
    .slice(0, MAX_GROUPS);
}

/**
 * The local variables of a frame, with values that are not strings as JSON; empty if there are
 * none.
 */
export function listVars({ vars }: Frame): readonly (readonly [name: string, value: string])[] {
  return vars === undefined ? [] : toPairs(vars);
}

/** Data on one line: `user_id: 7, plan: gold`. */
export function formatData(data: Json): string {
  if (Array.isArray(data)) return JSON.stringify(data);
  return toPairs(data)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");
}

/** The parameters of a log template, by name or by number from 1, others than text as JSON. */
export function listParams({ params }: LogTemplate): readonly (readonly [string, string])[] {
  const entries = Array.isArray(params)
    ? params.map((value, at) => [String(at + 1), value] as const)
    : Object.entries(asJsonObject(params));
  return entries.map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
}

function toPairs(value: Json | undefined): readonly (readonly [string, string])[] {
  return Object.entries(asJsonObject(value))
    .filter(([, inner]) => inner !== null)
    .map(([name, inner]) => [name, typeof inner === "string" ? inner : JSON.stringify(inner)]);
}

/** SDKs repeat the name of a context as its type. */
function omitType(context: Json): Json {
  const { type: _type, ...members } = asJsonObject(context);
  return members;
}

/** The members of an object; none for any other value. */
function asJsonObject(value: Json | undefined): Readonly<Record<string, Json>> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, Json>>) : {};
}
