/**
 * Reduces a client address to the network that rate limits count by. An IPv6 client has many
 * addresses, so a single one does not identify it.
 */

const IPV4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** An IPv4-mapped IPv6 address whose last four bytes are written as two groups. */
const IPV4_MAPPED = /^(?:::|(?:0{1,4}:){5})ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i;
const IPV6 = /^[\da-f:]+$/i;
const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * An IPv4 address unchanged, also when it is IPv4-mapped. For an IPv6 address the first 64 bits,
 * `2001:db8:0:0`, equal for every spelling (RFC 4291 § 2.2, § 2.5.4). Any other text is returned
 * unchanged.
 */
export function toClientNetwork(address: string): string {
  const v4 = IPV4.exec(address)?.[1];
  if (v4 !== undefined || !address.includes(":")) return v4 ?? address;
  const mapped = IPV4_MAPPED.exec(address);
  if (mapped !== null)
    return formatIpv4(`${mapped[1]}`.padStart(4, "0") + `${mapped[2]}`.padStart(4, "0"));
  if (!IPV6.test(address)) return address;
  const [before = [], after] = address
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const missing = after === undefined ? 0 : Math.max(0, IPV6_GROUPS - before.length - after.length);
  return [...before, ...Array<string>(missing).fill("0"), ...(after ?? [])]
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

function formatIpv4(hex: string): string {
  return (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).join(".");
}
