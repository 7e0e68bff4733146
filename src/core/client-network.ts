/**
 * Reduces a client address to the networks that rate limits count by. An IPv6 client has many
 * addresses, so a single one does not identify it.
 */

const IPV4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** An IPv4-mapped IPv6 address whose last four bytes are written as two groups. */
const IPV4_MAPPED = /^(?:::|(?:0{1,4}:){5})ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i;
const IPV6 = /^[\da-f:]+$/i;
const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;
const SITE_GROUPS = 3;
const PROVIDER_GROUPS = 2;

/**
 * An IPv4 address unchanged, also when it is IPv4-mapped. For an IPv6 address the first 64 bits,
 * `2001:db8:0:0`, equal for every spelling (RFC 4291 § 2.2, § 2.5.4). Any other text is returned
 * unchanged.
 */
export function toClientNetwork(address: string): string {
  return parseIpv4(address) ?? formatPrefix(address, NETWORK_GROUPS) ?? address;
}

/**
 * The first 48 bits of an IPv6 address, `2001:db8:0`: the largest prefix that one customer usually
 * gets, with 65,536 networks (RFC 6177 § 2). Undefined for any other text.
 */
export function toClientSite(address: string): string | undefined {
  return parseIpv4(address) === undefined ? formatPrefix(address, SITE_GROUPS) : undefined;
}

/**
 * The network that counts as one sender of public reports: the first 24 bits of an IPv4 address,
 * `203.0.113`, or the site of an IPv6 address. Undefined for any other text.
 */
export function toSenderNetwork(address: string): string | undefined {
  const v4 = parseIpv4(address);
  return v4 === undefined ? toClientSite(address) : v4.slice(0, v4.lastIndexOf("."));
}

/**
 * The first 32 bits of an IPv6 address, `2001:db8`: what a provider gets and divides into sites.
 * Undefined for any other text.
 */
export function toSenderProvider(address: string): string | undefined {
  return parseIpv4(address) === undefined ? formatPrefix(address, PROVIDER_GROUPS) : undefined;
}

/** The IPv4 address, also when it is IPv4-mapped. */
function parseIpv4(address: string): string | undefined {
  const v4 = IPV4.exec(address)?.[1];
  if (v4 !== undefined) return v4;
  const [, high, low] = IPV4_MAPPED.exec(address) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const hex = high.padStart(4, "0") + low.padStart(4, "0");
  return (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).join(".");
}

/** The first groups of an IPv6 address. */
function formatPrefix(address: string, groups: number): string | undefined {
  if (!address.includes(":") || !IPV6.test(address)) return undefined;
  const [before = [], after] = address
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const missing = after === undefined ? 0 : Math.max(0, IPV6_GROUPS - before.length - after.length);
  return [...before, ...Array<string>(missing).fill("0"), ...(after ?? [])]
    .slice(0, groups)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
