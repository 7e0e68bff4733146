/**
 * The layout of HTML mails: one column of at most 600 pixels, styles inline, as mail programs need
 * it. Every background has its text colour beside it, and the mail states that it has both schemes,
 * so that programs that make mail dark keep it readable. Pure.
 */
import { escapeMarkup, toInertHtml } from "../inert-text.ts";

export const INK = "#16181d";
export const MUTED = "#565960";
const CARD = `background:#ffffff;color:${INK}`;
const FONT = "font-family:system-ui,-apple-system,Segoe UI,Arial,sans-serif";
const CODE_FONT = "font-family:ui-monospace,Menlo,Consolas,monospace";
const BUTTON =
  "display:inline-block;padding:8px 14px;margin:0 8px 8px 0;border-radius:6px;text-decoration:none;font-size:14px;line-height:20px";

/** Programs without `prefers-color-scheme` keep the light colours, or invert all of them. */
const DARK_STYLES = [
  "@media (prefers-color-scheme:dark){",
  ".page{background:#121317!important;color:#ececea!important}",
  ".card{background:#1b1d22!important;color:#ececea!important;border-color:#34373e!important}",
  ".ink,.ink a{color:#ececea!important}",
  ".muted,.muted a{color:#b4b6bb!important}",
  ".code{background:#2c2817!important;color:#ececea!important;border-color:#c9a94b!important}",
  ".button{background:#1b1d22!important;color:#ececea!important;border-color:#5a5d66!important}",
  ".main{background:#ececea!important;color:#121317!important;border-color:#ececea!important}",
  ".rule{border-color:#34373e!important}",
  "}",
].join("");

/** A link; one with an empty URL is omitted. */
interface MailLink {
  readonly label: string;
  readonly url: string;
}

/** The document with these rows. `preview` is what a list of mails shows beside the subject. */
export function formatMailDocument(
  title: string,
  preview: string,
  rows: readonly string[],
): string {
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    `<title>${toInertHtml(title)}</title><style>${DARK_STYLES}</style></head>`,
    `<body class="page" style="margin:0;background:#f6f6f5;color:${INK};${FONT}">`,
    `<div style="display:none;max-height:0;overflow:hidden">${toInertHtml(preview)}</div>`,
    `<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f6f5;color:${INK}">`,
    '<tr><td align="center" style="padding:24px 12px">',
    `<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;${CARD};border:1px solid #e0e1e4;border-radius:8px;text-align:left;${FONT}">`,
    ...rows.filter((row) => row !== ""),
    "</table></td></tr></table></body></html>",
    "",
  ].join("\n");
}

/** The headline of the mail, with a link unless `url` is empty. */
export function formatHeadline(text: string, url: string): string {
  const linked = formatLink(text, url, `color:${INK};text-decoration:none`);
  return `<h1 class="ink" style="margin:4px 0 0;color:${INK};font-size:20px;line-height:27px;font-weight:600;overflow-wrap:anywhere">${linked}</h1>`;
}

/** The name of a group of issues: words of Errata. */
export function formatSubheading(text: string): string {
  return `<h2 class="ink" style="margin:0;color:${INK};font-size:13px;line-height:20px;font-weight:400">${text}</h2>`;
}

/** The headline of an issue among others. */
export function formatEntry(text: string, url: string): string {
  const linked = formatLink(text, url, `color:${INK}`);
  return `<p class="ink" style="margin:0;color:${INK};font-size:15px;line-height:23px;font-weight:600;overflow-wrap:anywhere">${linked}</p>`;
}

function formatLink(text: string, url: string, style: string): string {
  const inert = toInertHtml(text);
  return url === ""
    ? inert
    : `<a class="ink" href="${escapeMarkup(url)}" style="${style}">${inert}</a>`;
}

/** A line of source. */
export function formatCode(source: string): string {
  return `<div class="code" style="padding:8px 12px;border-left:3px solid #c79a1e;background:#fdf6dc;color:${INK};${CODE_FONT};font-size:13px;line-height:20px;overflow-wrap:anywhere">${toInertHtml(source)}</div>`;
}

/** Buttons; the first one is the main one. */
export function formatButtons(links: readonly MailLink[]): string {
  return links
    .filter(({ url }) => url !== "")
    .map(({ label, url }, n) => {
      const colors =
        n === 0
          ? "border:1px solid #16181d;background:#16181d;color:#ffffff"
          : `border:1px solid #c3c5ca;${CARD}`;
      const name = n === 0 ? "button main" : "button";
      return `<a class="${name}" href="${escapeMarkup(url)}" style="${BUTTON};${colors}">${toInertHtml(label)}</a>`;
    })
    .join("");
}

/** The last rows: a line, `text` and links of words of Errata. */
export function formatMailFooter(text: string, links: readonly MailLink[]): string {
  const linked = links.filter(({ url }) => url !== "").map(formatMutedLink);
  const texts = [...(text === "" ? [] : [toInertHtml(text)]), ...linked];
  return `<tr><td style="padding:8px 0 0"></td></tr><tr><td class="rule muted" style="padding:10px 24px 16px;border-top:1px solid #e0e1e4;color:${MUTED};font-size:12px;line-height:18px">${texts.join(" · ")}</td></tr>`;
}

/** A quiet link of words of Errata. */
export function formatMutedLink({ label, url }: MailLink): string {
  return `<a class="muted" href="${escapeMarkup(url)}" style="color:${MUTED}">${label}</a>`;
}

/** A paragraph. `name` is the class that dark programs colour: `ink` or `muted`. */
export function toParagraph(text: string, color: string, name: string, size: string): string {
  return `<p class="${name}" style="margin:0;color:${color};font-size:${size};line-height:1.55;overflow-wrap:anywhere">${toInertHtml(text)}</p>`;
}

/** A row of the card with a margin above it; empty for empty contents. */
export function toRow(contents: string, top: string): string {
  return contents === "" ? "" : `<tr><td style="padding:${top} 24px 0">${contents}</td></tr>`;
}
