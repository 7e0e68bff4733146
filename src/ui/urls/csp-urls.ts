/** URLs of the page of policies, relative to the origin. */

/** URLs of this length work everywhere (RFC 9110 § 4.1 recommends 8,000 octets). */
const MAX_URL_CHARS = 4_000;

/** The URL of the dry run of a policy; undefined if the policy is too long for a URL. */
export function toDryRunUrl(policy: string): string | undefined {
  const url = `/csp?${new URLSearchParams({ policy })}`;
  return url.length <= MAX_URL_CHARS ? url : undefined;
}
