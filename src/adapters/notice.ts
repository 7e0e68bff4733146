/**
 * `errata/notice`: the notice as HTML, for servers and for frameworks other than React. It needs no
 * script; with one it has a button that copies the digest.
 */

import { NOTICE_MARK } from "../core/notice-mark.ts";
import { NOTICE_STYLE, NOTICE_TEXTS, type NoticeTexts } from "./notice-parts.ts";
import type { QrCode } from "./qr.ts";
import { findReceiptUrl } from "./shown-digest.ts";

export { NOTICE_STYLE, type NoticeTexts } from "./notice-parts.ts";
export { findReceiptUrl, findShownDigest } from "./shown-digest.ts";

/** What a notice shows, and how. */
export interface NoticeOptions {
  /** `7F3K-Q2M9`. Without it, the notice has only the sentence. */
  readonly digest?: string | undefined;
  /** The receipt. By default that of the application's Errata. */
  readonly receiptUrl?: string | undefined;
  /** A QR code of the receipt: `createQrCode` of `errata/qr`. */
  readonly qr?: QrCode | undefined;
  readonly texts?: NoticeTexts | undefined;
  /** The nonce of the page's policy, for the style and the script. */
  readonly nonce?: string | undefined;
  /** False if the page has the style, or one of its own, for `.errata-notice`. */
  readonly hasStyle?: boolean | undefined;
  /** False if the page forbids inline scripts: the notice has no button then. */
  readonly hasScript?: boolean | undefined;
}

/** The notice as HTML. All values are escaped. */
export function createNoticeHtml(options: NoticeOptions = {}): string {
  const { digest, nonce, hasStyle = true, hasScript = true, qr } = options;
  const texts = { ...NOTICE_TEXTS, ...options.texts };
  const nonceAttribute = nonce === undefined ? "" : ` nonce="${escapeHtml(nonce)}"`;
  const style = hasStyle ? `<style${nonceAttribute}>${NOTICE_STYLE}</style>` : "";
  const mark = `<svg viewBox="0 0 24 40" width="24" aria-hidden="true"><path d="${NOTICE_MARK}" ${STROKE}/></svg>`;
  const sentence = `<p>${escapeHtml(texts.sentence)}</p>`;
  const codes = digest === undefined ? "" : createCodes(digest, options, texts);
  const needsScript = hasScript && digest !== undefined;
  const script = needsScript ? `<script${nonceAttribute}>${COPY_SCRIPT}</script>` : "";
  const receipt = qr === undefined ? "" : createQrHtml(qr, texts.receipt);
  return `${style}<div class="errata-notice" role="alert">${mark}<div>${sentence}${codes}</div>${receipt}${script}</div>`;
}

/**
 * Shows the notice in an element of the page. Where Trusted Types forbid HTML, it is the sentence
 * and the digest as text.
 */
export function showNotice(target: Element, options: NoticeOptions = {}): void {
  try {
    target.innerHTML = createNoticeHtml(options);
  } catch {
    const { sentence, digest } = { ...NOTICE_TEXTS, ...options.texts };
    target.textContent = [sentence, options.digest && `${digest}: ${options.digest}`].join(" ");
    return;
  }
  const button = target.querySelector<HTMLButtonElement>(".errata-notice button");
  if (button === null || !navigator.clipboard) return;
  button.hidden = false;
  button.onclick = async () => {
    await navigator.clipboard.writeText(options.digest ?? "").then(
      () => {
        button.textContent = button.dataset.copied ?? "";
      },
      () => undefined,
    );
  };
}

/** A whole page with the notice, for a response whose body nothing else has begun. */
export function createNoticePage(
  options: NoticeOptions & { readonly title?: string } = {},
): string {
  const title = escapeHtml(options.title ?? "Application error");
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title>`;
  return `<!doctype html><html lang="en"><head>${head}</head><body>${createNoticeHtml(options)}</body></html>`;
}

const STROKE = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"';

function createCodes(
  digest: string,
  { receiptUrl = findReceiptUrl(digest) }: NoticeOptions,
  texts: Required<NoticeTexts>,
): string {
  const label = escapeHtml(texts.digest);
  const code = `<small>${label}</small><code>${escapeHtml(digest)}</code>`;
  const words = `data-copied="${escapeHtml(texts.copied)}"`;
  const button = `<button type="button" hidden ${words} aria-label="${escapeHtml(texts.copy)} ${label}">${escapeHtml(texts.copy)}</button>`;
  const link =
    receiptUrl === undefined
      ? ""
      : `<a href="${escapeHtml(receiptUrl)}">${escapeHtml(texts.receipt)}</a>`;
  return `${code}<p>${button}${link}</p>`;
}

/** Shows the button of the notice that contains the script. */
const COPY_SCRIPT =
  "(n=>{let b=n.querySelector('button');b.hidden=!navigator.clipboard;b.onclick=()=>navigator.clipboard.writeText(n.querySelector('code').textContent).then(()=>b.textContent=b.dataset.copied)})(document.currentScript.parentNode)";

function createQrHtml({ size, path }: QrCode, label: string): string {
  return `<svg class="errata-qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${escapeHtml(label)}"><path fill="currentColor" shape-rendering="crispEdges" d="${path}"/></svg>`;
}

const ESCAPED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? "");
}
