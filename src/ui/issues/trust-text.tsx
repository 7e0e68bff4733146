/** The texts and the mark for trust levels, equal on every page. */
import type { Trust } from "../../core/trust/trust.ts";
import { GlobeIcon } from "../parts/icons.tsx";

/** The page of the documentation about levels. */
export const TRUST_DOCS_URL = "/docs/floods-and-fake-reports";

/** The label of each level. */
export const TRUST_LABELS: Readonly<Record<Trust, string>> = {
  server: "Server",
  page: "Browser, signed page",
  public: "Browser, public key",
};

/** How reports of each level were sent. */
export const TRUST_SENTENCES: Readonly<Record<Trust, string>> = {
  server: "Sent with a server key",
  page: "Sent by a signed page",
  public: "Sent with a public key or none",
};

/** How a report was sent, with a link to the documentation. */
export function TrustSentence({ trust }: { trust: Trust }) {
  return <a href={TRUST_DOCS_URL}>{TRUST_SENTENCES[trust]}</a>;
}

/** A globe for an item that has only public reports; nothing for others. */
export function PublicMark({ trust }: { trust: Trust }) {
  if (trust !== "public") return null;
  return (
    <span className="public-mark" title={TRUST_SENTENCES.public}>
      <GlobeIcon />
      <span className="visually-hidden">{TRUST_SENTENCES.public}</span>
    </span>
  );
}
