/**
 * Which mailbox an address leads to. Limits count mailboxes: one person has many spellings of an
 * address. Pure.
 */

/** Services that ignore the dots of a name. */
const WITHOUT_DOTS = new Set(["gmail.com", "googlemail.com"]);

/**
 * The same text for addresses that lead to one mailbox, as far as their form tells: in lower case
 * and NFKC, with an international domain in its ASCII form (RFC 5891), and without the detail after
 * `+` (RFC 5233). Not an address to send to.
 */
export function toMailbox(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address
    .slice(at + 1)
    .normalize("NFKC")
    .toLowerCase();
  const host = URL.parse(`http://${domain.replace(/\.$/, "")}/`)?.hostname ?? domain;
  const [name = ""] = address.slice(0, at).normalize("NFKC").toLowerCase().split("+");
  return `${WITHOUT_DOTS.has(host) ? name.replaceAll(".", "") : name}@${host}`;
}
