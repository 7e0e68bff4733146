/** The texts and the mark for trust levels, equal on every page. */
import { SENT_HOW, type Trust } from "../../core/trust/trust.ts";
import { GlobeIcon } from "../parts/icons.tsx";

/** The page of the documentation about levels. */
export const TRUST_DOCS_URL = "/docs/floods-and-fake-reports";

/** The label of each level. */
export const TRUST_LABELS: Readonly<Record<Trust, string>> = {
  server: "Server",
  page: "Browser, signed page",
  public: "Browser, public key",
};

/** `Sent with a server key`: how a report, or those of an issue, were sent. */
export function toTrustSentence(trust: Trust): string {
  return `Sent ${SENT_HOW[trust]}`;
}

/** How a report was sent, with a link to the documentation. */
export function TrustSentence({ trust }: { trust: Trust }) {
  return <a href={TRUST_DOCS_URL}>{toTrustSentence(trust)}</a>;
}

/** A globe for an item that has only public reports; nothing for others. */
export function PublicMark({ trust }: { trust: Trust }) {
  if (trust !== "public") return null;
  const sentence = toTrustSentence(trust);
  return (
    <span className="public-mark" title={sentence}>
      <GlobeIcon />
      <span className="visually-hidden">{sentence}</span>
    </span>
  );
}
