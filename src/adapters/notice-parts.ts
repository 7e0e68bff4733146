/**
 * The texts and the style of the notice. An application themes it with the custom properties
 * `--errata-ink`, `--errata-paper`, `--errata-line` and `--errata-mark`, and with its own font.
 */

import { NOTICE_SENTENCE } from "../core/notice-sentence.ts";

/** The texts of a notice, for other languages. */
export interface NoticeTexts {
  readonly sentence?: string;
  readonly digest?: string;
  readonly copy?: string;
  readonly copied?: string;
  readonly receipt?: string;
}

/** The default texts. */
export const NOTICE_TEXTS = {
  sentence: NOTICE_SENTENCE,
  digest: "Digest",
  copy: "Copy",
  copied: "Copied",
  receipt: "Check the status of this error",
} as const satisfies Required<NoticeTexts>;

/**
 * The style sheet of a notice. Its colors follow the `color-scheme` of the page. Without characters
 * that React 18 would escape.
 */
export const NOTICE_STYLE =
  ".errata-notice{display:flex;gap:1em;max-width:41em;padding:1.25em;border:1px solid " +
  "var(--errata-line,#8886);border-radius:8px;background:var(--errata-paper,Canvas);" +
  "color:var(--errata-ink,CanvasText)}" +
  ".errata-notice div{flex:1;min-width:0}" +
  ".errata-notice p{margin:0}" +
  ".errata-notice svg{flex:none;align-self:start;width:1.5em;color:var(--errata-mark,#d8463c)}" +
  ".errata-notice small{display:block;margin-top:1em}" +
  ".errata-notice code{display:block;font:600 2.2em monospace;user-select:all}" +
  ".errata-notice button{min-height:2.75em;margin:.5em 1em 0 0;padding:0 1em;border:1px solid;" +
  "border-radius:6px;background:0;color:inherit;font:inherit}" +
  ".errata-notice a{color:inherit}" +
  ".errata-notice .errata-qr{align-self:end;width:5.5em;background:#fff;color:#000}" +
  "@media(max-width:30em){.errata-qr{display:none}}";
