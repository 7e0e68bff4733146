/**
 * Makes the Content-Security-Policy of a page allow the reporter and its reports, and nothing more:
 * a nonce that the page has, else the script's hash, and the one address of reports. Directives that
 * need no change keep their text. Sources: CSP Level 3 § 6.7.1.1 (script directives), § 6.7.2.3
 * (nonces), § 6.7.2.4 (external hashes).
 */

import {
  matchesSource,
  parseSourceExpression,
  toUrlParts,
  type UrlParts,
} from "../core/csp/source-expression.ts";

/** The addresses that a page must be able to use. */
export interface Wanted {
  /** The page. */
  readonly pageUrl: string;
  /** The script, absolute. */
  readonly scriptUrl: string;
  /** Where its reports go, absolute and without a query. */
  readonly reportUrl: string;
  /** `sha256-…` of the script. */
  readonly integrity: string;
  /**
   * Where violations of a policy that names no receiver go: a URL and, on a secure page, the name of
   * a group. A browser that knows groups uses no URL beside them.
   */
  readonly reporting: { readonly uri: string; readonly group?: string | undefined };
}

/** The policies of a response: the values of both headers. */
export interface Policies {
  readonly enforced: string | null;
  readonly reportOnly: string | null;
}

/** The changed policies, and what the tag needs because of them. */
export interface PoliciesWithTag extends Policies {
  readonly nonce?: string | undefined;
  readonly needsIntegrity: boolean;
  /**
   * The only policy of the page, as browsers repeat it in reports; undefined if there are several.
   * `<meta>` policies do not count: they report to nobody.
   */
  readonly only?: string | undefined;
}

/** The policies that allow the reporter; undefined if the page wants no scripts at all. */
export function allowTag(policies: Policies, wanted: Wanted): PoliciesWithTag | undefined {
  const enforced = parsePolicies(policies.enforced);
  const reportOnly = parsePolicies(policies.reportOnly);
  const all = [...enforced, ...reportOnly];
  if (all.length === 0) return { ...policies, needsIntegrity: false };
  if (all.some(forbidsScripts)) return undefined;
  const urls = parseUrls(wanted);
  const nonce = chooseNonce(all);
  let needsIntegrity = false;
  const allow = (policy: Policy): string => {
    const added = allowScript(policy, nonce, urls, wanted);
    needsIntegrity ||= added === "hash";
    allowReports(policy, urls, wanted.reportUrl);
    addReceiver(policy, wanted.reporting);
    return formatPolicy(policy);
  };
  const texts = all.map(allow);
  return {
    enforced: formatPolicies(policies.enforced, texts.slice(0, enforced.length)),
    reportOnly: formatPolicies(policies.reportOnly, texts.slice(enforced.length)),
    nonce,
    needsIntegrity,
    only: texts.length === 1 ? texts[0] : undefined,
  };
}

/** True if a policy in the page itself, which applies behind the tag, allows its reports. */
export function allowsReports(policyText: string, wanted: Wanted): boolean {
  const urls = parseUrls(wanted);
  return parsePolicies(policyText).every((policy) => canConnect(policy, urls));
}

/** A directive as it is written. */
interface Directive {
  readonly name: string;
  /** Without white space at its ends. */
  text: string;
  sources: readonly string[];
}

/** A policy, and whether it was changed. */
interface Policy {
  readonly directives: Directive[];
  readonly text: string;
  isChanged: boolean;
}

/** The URLs that are matched. */
interface Urls {
  readonly page: UrlParts | undefined;
  readonly script: UrlParts | undefined;
  readonly report: UrlParts | undefined;
}

function parseUrls({ pageUrl, scriptUrl, reportUrl }: Wanted): Urls {
  const [page, script, report] = [pageUrl, scriptUrl, reportUrl].map(toUrlParts);
  return { page, script, report };
}

/** The policies of a header, whose values are joined by commas. */
function parsePolicies(value: string | null): Policy[] {
  return (value ?? "").split(",").flatMap((text) => {
    const directives = text.split(";").flatMap((part) => {
      const [name, ...sources] = part.split(/[\t\n\f\r ]+/).filter((word) => word !== "");
      return name === undefined ? [] : { name: name.toLowerCase(), text: part.trim(), sources };
    });
    return directives.length === 0 ? [] : { directives, text: text.trim(), isChanged: false };
  });
}

function formatPolicy({ directives, text, isChanged }: Policy): string {
  return isChanged ? directives.map((directive) => directive.text).join("; ") : text;
}

/** The header as it was if nothing was changed. */
function formatPolicies(before: string | null, texts: readonly string[]): string | null {
  const after = texts.join(", ");
  return before === null || texts.length === 0 || isSame(before, after) ? before : after;
}

function isSame(before: string, after: string): boolean {
  return before.replace(/\s*,\s*/g, ", ").trim() === after;
}

/** The first directive counts; a browser ignores further ones with its name. */
function findDirective(policy: Policy, ...names: readonly string[]): Directive | undefined {
  for (const name of names) {
    const found = policy.directives.find((directive) => directive.name === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findScripts(policy: Policy): Directive | undefined {
  return findDirective(policy, "script-src-elem", "script-src", "default-src");
}

/** True for `'none'`, an empty list, and a sandbox without scripts. */
function forbidsScripts(policy: Policy): boolean {
  const sandbox = findDirective(policy, "sandbox");
  if (sandbox && !sandbox.sources.some((one) => one.toLowerCase() === "allow-scripts")) return true;
  const scripts = findScripts(policy);
  return scripts?.sources.every((source) => /^'none'$/i.test(source)) ?? false;
}

const NONCE = /^'nonce-([\w+/-]+={0,2})'$/i;
const HASH = /^'sha(?:256|384|512)-/i;
const STRICT_DYNAMIC = /^'strict-dynamic'$/i;
const UNSAFE_INLINE = /^'unsafe-inline'$/i;

function listNonces(policy: Policy): readonly string[] {
  return findScripts(policy)?.sources.flatMap((source) => NONCE.exec(source)?.[1] ?? []) ?? [];
}

/** The nonce that most policies have; undefined if none has one. */
function chooseNonce(policies: readonly Policy[]): string | undefined {
  const counts = new Map<string, number>();
  for (const nonce of policies.flatMap(listNonces)) {
    counts.set(nonce, (counts.get(nonce) ?? 0) + 1);
  }
  return [...counts].reduce<readonly [string | undefined, number]>(
    (most, one) => (one[1] > most[1] ? one : most),
    [undefined, 0],
  )[0];
}

/** Adds what allows the script, if anything is missing. */
function allowScript(
  policy: Policy,
  nonce: string | undefined,
  { page, script }: Urls,
  { scriptUrl, integrity }: Wanted,
): "hash" | "url" | undefined {
  const scripts = findScripts(policy);
  if (scripts === undefined) return undefined;
  const { sources } = scripts;
  if (nonce !== undefined && listNonces(policy).includes(nonce)) return undefined;
  const isStrict = sources.some((source) => STRICT_DYNAMIC.test(source));
  if (!isStrict && matchesAny(sources, script, page)) return undefined;
  // A hash would switch off 'unsafe-inline', and with it the scripts of the page.
  const hasInline =
    sources.some((source) => UNSAFE_INLINE.test(source)) &&
    !isStrict &&
    !sources.some((source) => NONCE.test(source) || HASH.test(source));
  addSource(policy, scripts, "script-src", hasInline ? scriptUrl : `'${integrity}'`);
  return hasInline ? "url" : "hash";
}

function canConnect(policy: Policy, { page, report }: Urls): boolean {
  const connections = findDirective(policy, "connect-src", "default-src");
  return connections === undefined || matchesAny(connections.sources, report, page);
}

function allowReports(policy: Policy, urls: Urls, reportUrl: string): void {
  const connections = findDirective(policy, "connect-src", "default-src");
  if (connections === undefined || canConnect(policy, urls)) return;
  addSource(policy, connections, "connect-src", reportUrl);
}

function matchesAny(
  sources: readonly string[],
  url: UrlParts | undefined,
  page: UrlParts | undefined,
): boolean {
  if (url === undefined) return false;
  return sources.some((source) => matchesSource(parseSourceExpression(source), url, page));
}

/**
 * Adds a source to a directive. `default-src` also applies to others, so its sources are copied into
 * a new directive.
 */
function addSource(policy: Policy, directive: Directive, name: string, source: string): void {
  policy.isChanged = true;
  const sources = directive.sources.filter((one) => !/^'none'$/i.test(one)).concat(source);
  if (directive.name === "default-src") {
    policy.directives.push({ name, text: [name, ...sources].join(" "), sources });
    return;
  }
  const [written = directive.name] = directive.text.split(/[\t\n\f\r ]/, 1);
  directive.text = [written, ...sources].join(" ");
  directive.sources = sources;
}

/** Lets a policy whose violations nobody receives report them. */
function addReceiver(policy: Policy, { group, uri }: Wanted["reporting"]): void {
  if (findDirective(policy, "report-to", "report-uri") !== undefined) return;
  policy.isChanged = true;
  const receivers = Object.entries({ "report-uri": uri, "report-to": group });
  for (const [name, value] of receivers) {
    if (value === undefined) continue;
    policy.directives.push({ name, text: `${name} ${value}`, sources: [value] });
  }
}
