/**
 * The document around every page: head, style sheet, the settings of the browser's reporter, and the guard that leads a
 * browser without working scripts to the whole page.
 */
import type { ReactNode } from "react";
import { type Theme, ThemeContext } from "../ui/layout/theme-form.tsx";
import { assets } from "./assets.ts";

/** What a document needs to know besides its content. */
export interface HtmlDocumentProps {
  readonly title: string;
  readonly nonce: string;
  readonly release?: string | undefined;
  readonly environment?: string | undefined;
  /** The colours that this browser has chosen; the system's by default. */
  readonly theme?: Theme;
  /** The page's own path and query. */
  readonly path?: string;
  /**
   * The same page un-streamed; absent when this is that form. A streamed page needs React's inline scripts to move late
   * parts to their places.
   */
  readonly nonStreamingUrl?: string | undefined;
  readonly children: ReactNode;
}

/** `html` with `head` and `body`. */
export function HtmlDocument(props: HtmlDocumentProps) {
  const { theme = "system", path = "/" } = props;
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === "system" ? "light dark" : theme} />
        <title>{props.title}</title>
        <link rel="stylesheet" href={assets.style} />
        <link rel="modulepreload" href={assets.reporter} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <meta
          name="errata"
          content="/monitoring"
          data-release={props.release}
          data-environment={props.environment}
        />
      </head>
      <body>
        {props.nonStreamingUrl !== undefined && (
          <NoScriptRedirect nonce={props.nonce} url={props.nonStreamingUrl} />
        )}
        <ThemeContext value={{ theme, returnTo: path }}>{props.children}</ThemeContext>
      </body>
    </html>
  );
}

/**
 * Sends a browser in which scripts do not run on to the whole page. Where they run, the script takes the place out of the
 * document while the parser is still in it, and a refresh that comes into the document nowhere does nothing; where they are
 * switched off or blocked by a policy, the refresh stands for itself. (`noscript` would help only the former: a blocked script
 * leaves scripting "enabled".)
 */
function NoScriptRedirect({ nonce, url }: { readonly nonce: string; readonly url: string }) {
  const script = `<script nonce="${nonce}">document.currentScript.parentNode.remove()</script>`;
  const refresh = `<meta http-equiv="refresh" content="0;url=${escapeAttribute(url)}">`;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React may move a `meta` into the head; all that varies is escaped
  return <div hidden dangerouslySetInnerHTML={{ __html: script + refresh }} />;
}

function escapeAttribute(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
}
