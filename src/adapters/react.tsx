/**
 * `errata/react`: the notice, an error boundary that shows it, and the callbacks of `hydrateRoot`.
 * The options of `react-dom/server` are in `errata/react/server`.
 */

import { Component, type ErrorInfo, type ReactNode, useEffect, useId, useState } from "react";
import { NOTICE_MARK } from "../core/notice-mark.ts";
import { NOTICE_STYLE, NOTICE_TEXTS, type NoticeTexts } from "./notice-parts.ts";
import type { QrCode } from "./qr.ts";
import { findOwnDigest, findReceiptUrl, findShownDigest, reportCaught } from "./shown-digest.ts";

export type { NoticeTexts } from "./notice-parts.ts";

/** Properties of `<Notice>`. */
export interface NoticeProps {
  /** What was thrown. Its digest is shown, or that of the page, if the server failed. */
  readonly error?: unknown;
  /** The digest, if it is known. */
  readonly digest?: string | undefined;
  /** The receipt. By default that of the application's Errata. */
  readonly receiptUrl?: string | undefined;
  /** A QR code of the receipt: `createQrCode` of `errata/qr`. */
  readonly qr?: QrCode | undefined;
  readonly texts?: NoticeTexts | undefined;
  /** The nonce of the page's policy, for the style. */
  readonly nonce?: string | undefined;
  /** False if the page has the style, or one of its own, for `.errata-notice`. */
  readonly hasStyle?: boolean | undefined;
}

/** What a visitor sees of a failure: the sentence, and the digest if the server failed. */
export function Notice(props: NoticeProps): ReactNode {
  const { error, hasStyle = true, qr } = props;
  const id = useId();
  // Hydration must not change the markup, and the browser cannot find all that the server does.
  const [sent] = useState(() => {
    const notice = globalThis.document?.getElementById(id);
    const [code, link] = ["code", "a"].map((name) =>
      notice?.querySelector<HTMLAnchorElement>(name),
    );
    return notice && { error, digest: code?.textContent, receiptUrl: link?.href };
  });
  const markup = sent?.error === error ? sent : undefined;
  const known = props.digest ?? (markup ? markup.digest : findOwnDigest(error));
  const [found, setFound] = useState<string>();
  // The digest of the page is one error's alone: of the one that is shown, not of those that React
  // discards while it renders.
  useEffect(() => {
    const shown = known ?? findShownDigest(error);
    setFound(shown);
    // Frameworks tell nobody in the browser about an error that came with the page.
    if (shown && error !== undefined) reportCaught(error, { digest: shown });
  }, [error, known]);
  const digest = known ?? found;
  const receiptUrl =
    props.receiptUrl ?? (markup?.digest ? markup.receiptUrl : digest && findReceiptUrl(digest));
  const nonce = props.nonce ?? (markup ? undefined : findNonce());
  const texts = { ...NOTICE_TEXTS, ...props.texts };
  return (
    <div className="errata-notice" id={id} role="alert">
      {hasStyle && <style nonce={nonce}>{NOTICE_STYLE}</style>}
      <svg viewBox="0 0 24 40" width="24" aria-hidden="true">
        <path d={NOTICE_MARK} fill="none" stroke="currentColor" strokeWidth={2} />
      </svg>
      <div>
        <p>{texts.sentence}</p>
        {digest && (
          <>
            <small>{texts.digest}</small>
            <code>{digest}</code>
            <p>
              <CopyButton digest={digest} texts={texts} />
              {receiptUrl && <a href={receiptUrl}>{texts.receipt}</a>}
            </p>
          </>
        )}
      </div>
      {qr && (
        <svg
          className="errata-qr"
          viewBox={`0 0 ${qr.size} ${qr.size}`}
          role="img"
          aria-label={texts.receipt}
        >
          <path d={qr.path} fill="currentColor" shapeRendering="crispEdges" />
        </svg>
      )}
    </div>
  );
}

/** The nonce of the page's scripts: where it is needed for styles, it is the same. */
function findNonce(): string | undefined {
  return globalThis.document?.querySelector<HTMLElement>("[nonce]")?.nonce;
}

function CopyButton({ digest, texts }: { digest: string; texts: Required<NoticeTexts> }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    // Pages without HTTPS have no clipboard.
    navigator.clipboard?.writeText(digest).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <button
      type="button"
      aria-label={isCopied ? undefined : `${texts.copy} ${digest}`}
      onClick={copy}
    >
      {isCopied ? texts.copied : texts.copy}
    </button>
  );
}

/** Properties of `<Boundary>`. */
export interface BoundaryProps {
  readonly children: ReactNode;
  /** Shown instead of the notice. */
  readonly fallback?: ((error: unknown) => ReactNode) | undefined;
  /** Called once for an error that the boundary catches. */
  readonly onError?: ((error: unknown, info: ErrorInfo) => void) | undefined;
}

/** Shows the notice in place of children that fail in the browser, and reports the error. */
export class Boundary extends Component<BoundaryProps, { readonly failure?: { error: unknown } }> {
  override state: { readonly failure?: { error: unknown } } = {};

  static getDerivedStateFromError(error: unknown): { failure: { error: unknown } } {
    return { failure: { error } };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    reportCaught(error, { componentStack: info.componentStack });
    this.props.onError?.(error, info);
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return this.props.fallback?.(failure.error) ?? <Notice error={failure.error} />;
  }
}
