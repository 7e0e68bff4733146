/** Who asks, as far as an address says it: of IPv6 everybody has so many addresses that one of them says nothing. */

const V4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** An IPv4 address in IPv6's way whose four bytes are two groups. */
const MAPPED = /^(?:::|(?:0{1,4}:){5})ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i;
const V6 = /^[\da-f:]+$/i;
const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

/**
 * An IPv4 address as it is, also where it is written in IPv6's way; of an IPv6 address the first 64 bits, `2001:db8:0:0`, the
 * same for every spelling (RFC 4291 § 2.2, § 2.5.4). What is neither comes back.
 */
export function networkOf(address: string): string {
  const v4 = V4.exec(address)?.[1];
  if (v4 !== undefined || !address.includes(":")) return v4 ?? address;
  const mapped = MAPPED.exec(address);
  if (mapped !== null)
    return v4Of(`${mapped[1]}`.padStart(4, "0") + `${mapped[2]}`.padStart(4, "0"));
  if (!V6.test(address)) return address;
  const [before = [], after] = address
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const left = after === undefined ? 0 : Math.max(0, GROUPS - before.length - after.length);
  return [...before, ...Array<string>(left).fill("0"), ...(after ?? [])]
    .slice(0, GROUPS_OF_NETWORK)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

function v4Of(hex: string): string {
  return (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).join(".");
}
