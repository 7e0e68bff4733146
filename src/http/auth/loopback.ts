/**
 * Whether a request comes from this very machine. Nobody is let in for that, unless the
 * configuration says so (`ERRATA_LOCAL`), as tests and tools have it.
 */

/** Names and addresses of this machine. */
export const LOOPBACK_HOST =
  /^(localhost|([a-z0-9-]+\.)+localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
const LOOPBACK_ADDRESS =
  /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

/**
 * True when the address that was asked for is local and nothing says that the request came from
 * farther away: a proxy in front of a local server makes it reachable from elsewhere, whatever name
 * it passes on.
 */
export function isLoopbackRequest(request: Request): boolean {
  const { headers } = request;
  if (!LOOPBACK_HOST.test(new URL(request.url).hostname)) return false;
  if (headers.has("forwarded") || headers.has("x-forwarded-for") || headers.has("x-real-ip"))
    return false;
  const peerAddress = headers.get("cf-connecting-ip");
  return peerAddress === null || LOOPBACK_ADDRESS.test(peerAddress);
}
