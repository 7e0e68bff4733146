// The network that a Worker may reach.

import { isIP } from "node:net";

/**
 * The ranges of addresses that the Worker may connect to. A public name can resolve to an address
 * of this network, so such addresses are allowed only if `targets` (`ERRATA_ALERT_TARGETS`) names
 * them.
 */
export function listRanges(targets: unknown): string[] {
  const named = typeof targets === "string" ? targets.split(/[\s,]+/).filter(Boolean) : [];
  const ranges = named.flatMap((target) => {
    const host = URL.parse(`http://${target}`)?.hostname;
    return host === undefined ? [] : toRange(host.replace(/^\[|\]$/g, ""));
  });
  return [...new Set(["public", ...ranges])];
}

/** The range of an address. For a name, which may have any address, all of this network. */
function toRange(host: string) {
  const version = isIP(host);
  return version === 0 ? "private" : `${host}/${version === 4 ? 32 : 128}`;
}
