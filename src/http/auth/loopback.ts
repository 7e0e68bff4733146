/**
 * Detects requests from this machine. They need no sign-in only if `ERRATA_LOCAL` is `open`, as in
 * tests and tools.
 */

/** Names and addresses of this machine. */
export const LOOPBACK_HOST =
  /^(localhost|([a-z0-9-]+\.)+localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
const LOOPBACK_ADDRESS =
  /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

/** Headers that proxies add, besides `X-Forwarded-…`. */
const PROXY_HEADERS = [
  "cdn-loop",
  "cf-ray",
  "fastly-client-ip",
  "forwarded",
  "true-client-ip",
  "via",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-envoy-external-address",
  "x-original-forwarded-for",
  "x-real-ip",
];

/**
 * True if the host is local and no header shows a proxy, which would make a local server reachable
 * from elsewhere. Proxies without such a header cannot be detected.
 */
export function isLoopbackRequest(request: Request): boolean {
  const { headers } = request;
  if (!LOOPBACK_HOST.test(new URL(request.url).hostname)) return false;
  if (PROXY_HEADERS.some((name) => headers.has(name))) return false;
  if ([...headers.keys()].some((name) => name.startsWith("x-forwarded-"))) return false;
  const peerAddress = headers.get("cf-connecting-ip");
  return peerAddress === null || LOOPBACK_ADDRESS.test(peerAddress);
}
