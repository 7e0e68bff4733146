/**
 * `errata/react`: the notice, an error boundary that shows it, and the callbacks of `hydrateRoot`.
 * The options of `react-dom/server` are in `errata/react/server`.
 */

import {
  Component,
  type ErrorInfo,
  type ReactNode,
  useId,
  useState,
  useSyncExternalStore,
} from "react";
import { NOTICE_MARK } from "../core/notice-mark.ts";
import { NOTICE_STYLE, NOTICE_TEXTS, type NoticeTexts } from "./notice-parts.ts";
import type { QrCode } from "./qr.ts";
import { findReceiptUrl, findShownDigest } from "./shown-digest.ts";

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
  const { error, nonce, hasStyle = true, qr } = props;
  const id = useId();
  // Hydration must not change the markup, and the browser cannot find all that the server does.
  const isHydrated = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => typeof document === "undefined",
  );
  const [first] = useState(() => [error, isHydrated ? null : document.getElementById(id)] as const);
  const find = (element: "a" | "code") =>
    first[0] === error ? first[1]?.querySelector<HTMLAnchorElement>(element) : null;
  const digest =
    props.digest ?? find("code")?.textContent ?? (isHydrated && findShownDigest(error));
  const receiptUrl =
    props.receiptUrl ?? find("a")?.href ?? (isHydrated && digest && findReceiptUrl(digest));
  const texts = { ...NOTICE_TEXTS, ...props.texts };
  return (
    <div className="errata-notice" id={id} role="alert">
      {hasStyle && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: React 18 escapes the text of a style
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: NOTICE_STYLE }} />
      )}
      <svg viewBox="0 0 24 40" aria-hidden="true">
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

function CopyButton({ digest, texts }: { digest: string; texts: Required<NoticeTexts> }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(digest).then(
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

/** Shows the notice in place of children that fail in the browser. */
export class Boundary extends Component<BoundaryProps, { readonly failure?: { error: unknown } }> {
  override state: { readonly failure?: { error: unknown } } = {};

  static getDerivedStateFromError(error: unknown): { failure: { error: unknown } } {
    return { failure: { error } };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    this.props.onError?.(error, info);
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return this.props.fallback?.(failure.error) ?? <Notice error={failure.error} />;
  }
}
