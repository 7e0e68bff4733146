/** The texts for trust levels, equal on every page. */
import type { Trust } from "../../core/trust/trust.ts";

/** The label of each level. */
export const TRUST_LABELS: Readonly<Record<Trust, string>> = {
  server: "Trusted server",
  page: "Signed page",
  public: "Public",
};

/** How reports of each level were sent. */
export const TRUST_SENTENCES: Readonly<Record<Trust, string>> = {
  server: "Reported by a trusted server",
  page: "Reported by a signed page",
  public: "Reported without a secret key",
};

/** How a report was sent, with a link to the documentation. */
export function TrustSentence({ trust }: { trust: Trust }) {
  return <a href="/docs/trust">{TRUST_SENTENCES[trust]}</a>;
}

/** Marks a public item in a list that also has trusted ones. */
export function PublicBadge() {
  return (
    <small className="muted" title={TRUST_SENTENCES.public}>
      public
    </small>
  );
}
