/**
 * The addresses to which Errata sends alerts. A Worker cannot resolve a name before it connects, so
 * only public names over `https` are allowed. Names of the local network and all IP addresses are
 * refused; `new URL` normalizes their spelling first.
 */

import { ok, type Result } from "../../result.ts";
import { refuse } from "../decode.ts";

const MAX_URL_CHARS = 2_000;

/** Names of the local machine and of local networks, and special names of the DNS. */
const LOCAL_NAMES =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|corp|home|home\.arpa|arpa|onion|test|invalid|private|svc|consul|docker|metadata\.tencentyun\.com)$/;
/** Public names that resolve to any address in them. */
const WILDCARD_NAMES =
  /(?:^|\.)(?:nip\.io|sslip\.io|xip\.io|backname\.io|localtest\.me|lvh\.me|vcap\.me|traefik\.me|local\.gd|localho\.st|lacolhost\.com|rbndr\.us|1u\.ms)$/;
const IPV4 = /^\d+(?:\.\d+)*$/;

/**
 * The parsed address, if Errata may send to it. `allowedTargets` are exceptions, `host:port`, which
 * may also use `http`. `ownHost` is the host of Errata itself.
 */
export function parseTarget(
  url: string,
  allowedTargets: readonly string[],
  ownHost?: string,
): Result<URL, { reason: "invalid"; detail: string }> {
  const parsed = url.length <= MAX_URL_CHARS ? URL.parse(url.trim()) : null;
  if (parsed === null) return refuse("Enter a URL that begins with https://.");
  if (parsed.username !== "" || parsed.password !== "")
    return refuse("The URL must not contain a user name or password.");
  if (isAllowedTarget(parsed, allowedTargets)) return ok(parsed);
  if (parsed.protocol !== "https:") return refuse("The URL must begin with https://.");
  const name = parsed.hostname.replace(/\.$/, "");
  if (name.startsWith("[") || IPV4.test(name))
    return refuse("The URL must have a host name, not an IP address.");
  if (!/^[^.]+(?:\.[^.]+)+$/.test(name) || LOCAL_NAMES.test(name) || WILDCARD_NAMES.test(name))
    return refuse("The host name must be public.");
  if (ownHost !== undefined && name === toHostname(ownHost))
    return refuse("The URL must not lead to Errata itself.");
  return ok(parsed);
}

/** True if the configuration names host and port of `url` as an exception. */
export function isAllowedTarget(url: URL, allowedTargets: readonly string[]): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return /^https?:$/.test(url.protocol) && allowedTargets.includes(`${url.hostname}:${port}`);
}

function toHostname(host: string): string {
  return (URL.parse(`https://${host}`)?.hostname ?? host).replace(/\.$/, "");
}
