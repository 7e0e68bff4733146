/**
 * The HTML document of every page: head, style sheet, settings of the browser reporter, and the
 * redirect to the un-streamed page for browsers without scripts.
 */
import type { ReactNode } from "react";
import { type Theme, ThemeContext } from "../ui/parts/theme-form.tsx";
import { assets } from "./assets.ts";

export interface HtmlDocumentProps {
  readonly title: string;
  readonly description: string;
  readonly nonce: string;
  /** Where the browser reporter sends reports. */
  readonly reportingUrl: string;
  readonly release?: string | undefined;
  readonly environment?: string | undefined;
  /** The language of the page, and how it is written; English by default. */
  readonly language?: string | undefined;
  readonly direction?: "ltr" | "rtl" | undefined;
  /** The description of the lookup for the address bar; on pages of the desk. */
  readonly openSearchUrl?: string | undefined;
  /** The chosen theme; the system's by default. */
  readonly theme?: Theme;
  /** The page's own path and query. */
  readonly path?: string;
  /**
   * The URL of the same page un-streamed; absent if this is that page. Streamed pages need React's
   * inline scripts to move late parts to their boundaries.
   */
  readonly nonStreamingUrl?: string | undefined;
  readonly children: ReactNode;
}

/** `html` with `head` and `body`. */
export function HtmlDocument(props: HtmlDocumentProps) {
  const { theme = "system", path = "/", language = "en", direction } = props;
  return (
    <html lang={language} dir={direction} data-theme={theme === "system" ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content={theme === "system" ? "light dark" : theme} />
        <title>{props.title}</title>
        <meta name="description" content={props.description} />
        {assets.fonts.map((font) => (
          <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="" />
        ))}
        <link rel="stylesheet" href={assets.style} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {props.openSearchUrl !== undefined && (
          <link
            rel="search"
            type="application/opensearchdescription+xml"
            title="Errata"
            href={props.openSearchUrl}
          />
        )}
        <link rel="apple-touch-icon" href="/icons/app-180.png" />
        {/* Cloudflare Access, which may be in front of it, knows the browser by its cookie. */}
        <link rel="manifest" href="/app.webmanifest" crossOrigin="use-credentials" />
        <ThemeColor theme={theme} />
        <meta
          name="errata"
          content={props.reportingUrl}
          data-release={props.release}
          data-environment={props.environment}
        />
      </head>
      <body>
        {props.nonStreamingUrl !== undefined && (
          <>
            <NoScriptRedirect nonce={props.nonce} url={props.nonStreamingUrl} />
            <ImmediateReveal nonce={props.nonce} />
          </>
        )}
        <ThemeContext value={{ theme, returnTo: path }}>{props.children}</ThemeContext>
      </body>
    </html>
  );
}

/** `--page` of `tokens.css`, as sRGB: the color of the status bar of an installed app. */
const PAGE_COLORS = { light: "#f7f6f5", dark: "#121316" } as const;

function ThemeColor({ theme }: { theme: Theme }) {
  if (theme !== "system") return <meta name="theme-color" content={PAGE_COLORS[theme]} />;
  return (["light", "dark"] as const).map((scheme) => (
    <meta
      key={scheme}
      name="theme-color"
      media={`(prefers-color-scheme: ${scheme})`}
      content={PAGE_COLORS[scheme]}
    />
  ));
}

/**
 * Redirects browsers without scripts to the un-streamed page. Where scripts run, the script removes
 * the element while it is being parsed, before the `meta` inside is inserted. `noscript` would not
 * help if a policy blocks scripts, because scripting is then still "enabled".
 */
function NoScriptRedirect({ nonce, url }: { nonce: string; url: string }) {
  const script = `<script nonce="${nonce}">document.currentScript.parentNode.remove()</script>`;
  const refresh = `<meta http-equiv="refresh" content="0;url=${escapeAttribute(url)}">`;
  // React would move a `meta` element into the head. Variable parts are escaped.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
  return <div hidden dangerouslySetInnerHTML={{ __html: script + refresh }} />;
}

/**
 * Shows late parts as soon as they arrive. React's inline script keeps its time of the last reveal
 * in `$RT` and shows the placeholder until 300 ms after it. A constant time in the past prevents
 * this delay.
 */
function ImmediateReveal({ nonce }: { nonce: string }) {
  const script = 'Object.defineProperty(window,"$RT",{value:-300})';
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />;
}

function escapeAttribute(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
}
