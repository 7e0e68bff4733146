/**
 * Rate limits by the sender's network, with the values of `[[ratelimits]]` in `wrangler.toml`. An
 * IPv6 sender is counted twice: by the /64, and by the /48 with a higher limit, because one
 * customer can own a /48 with 65,536 networks.
 */
import { toClientNetwork, toClientSite } from "../core/client-network.ts";
import type { Services } from "./context.ts";

/** The limits that count by network. */
type NetworkLimit = "address" | "receipt" | "signIn";

/**
 * Charges `count` to the limit of a request's network. True while it is within the limit. Only
 * requests that the network's limit admits count for the site, so that one network cannot exhaust
 * the limit of the site. Each `use` of a limit is counted apart. Requests without
 * `CF-Connecting-IP`, as on a local server, are not limited.
 */
export async function isNetworkWithinLimit(
  { limiters }: Pick<Services, "limiters">,
  { headers }: Pick<Request, "headers">,
  limit: NetworkLimit,
  { count = 1, use = "" }: { readonly count?: number; readonly use?: string } = {},
): Promise<boolean> {
  const address = headers.get("cf-connecting-ip");
  if (address === null) return true;
  if (!(await limiters[limit](use + toClientNetwork(address), count))) return false;
  const site = toClientSite(address);
  return site === undefined || limiters.site(limit, use + site, count);
}
