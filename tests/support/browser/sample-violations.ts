/** CSP violations for the browser tests, and a dry run of a policy with long and unusual values. */

const LONG_NAME = "a-very-long-name-of-a-host".repeat(4);
const POLICY = `default-src 'self'; img-src 'none' ${LONG_NAME}.example https://x.example/?q, font-src *`;

/** The page with the result of the dry run. */
export const DRY_RUN_PATH = `/csp?${new URLSearchParams({ policy: POLICY })}`;

/** A report of the Reporting API. */
export const createViolation = (effectiveDirective: string, blockedURL: string) => ({
  type: "csp-violation",
  url: "https://shop.example/cart",
  body: { effectiveDirective, blockedURL, documentURL: "https://shop.example/cart" },
});

/** Reports many hosts, a very long address and inline styles to the product at `url`. */
export async function reportViolations(url: string): Promise<void> {
  const hosts = Array.from({ length: 12 }, (_, n) => `https://cdn${n}.example/a.png`);
  const longHost = `https://${"a".repeat(60)}.${"b".repeat(60)}.example/${"c".repeat(400)}`;
  const reported = [
    ...hosts.map((host) => createViolation("img-src", host)),
    createViolation("connect-src", longHost),
    createViolation("style-src-attr", "inline"),
  ];
  await fetch(`${url}/monitoring`, { method: "POST", body: JSON.stringify(reported) });
}
