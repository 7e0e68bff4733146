/**
 * Parses source expressions and matches URLs against them. Source: CSP Level 3 § 2.3.1 Source
 * Lists, § 6.7.2 URL Matching Algorithms; WebSockets § 3 (a WebSocket is requested by its http(s)
 * URL). In two points it follows browsers rather than the specification: IP addresses match as
 * written, and `'self'` does not match `blob:`.
 */

/** One source of a list. Case-insensitive parts are in lower case. */
export type SourceExpression =
  | { readonly kind: "none" | "any" | "self" | "nonce" | "hash" | "invalid" }
  | { readonly kind: "keyword"; readonly name: string }
  | { readonly kind: "scheme"; readonly scheme: string }
  | HostSource;

interface HostSource {
  readonly kind: "host";
  readonly scheme?: string;
  /** `cdn.example`, `*.example` or `*`. */
  readonly host: string;
  /** A number, or `*`. */
  readonly port?: string;
  readonly path: string;
}

/** The parts of a URL that sources match. `data:` and other local schemes have no host. */
export interface UrlParts {
  readonly scheme: string;
  readonly host?: string;
  readonly port?: number;
  readonly path: string;
}

const KEYWORDS: ReadonlySet<string> = new Set([
  "unsafe-inline",
  "unsafe-eval",
  "wasm-unsafe-eval",
  "unsafe-hashes",
  "unsafe-allow-redirects",
  "strict-dynamic",
  "report-sample",
  "inline-speculation-rules",
  "trusted-types-eval",
]);
const HOST_SOURCE =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::(\d{1,5}|\*))?(\/[^?#;,]*)?$/i;

/**
 * The source in one word of a list. Never fails; a word that browsers do not understand is
 * `invalid`.
 */
export function parseSourceExpression(word: string): SourceExpression {
  if (word === "*") return { kind: "any" };
  const quoted = /^'(.+)'$/.exec(word)?.[1]?.toLowerCase();
  if (quoted !== undefined) return parseQuotedSource(quoted);
  const scheme = /^([a-z][a-z0-9+.-]*):$/i.exec(word)?.[1];
  if (scheme !== undefined) return { kind: "scheme", scheme: scheme.toLowerCase() };
  const match = HOST_SOURCE.exec(word);
  if (match === null) return { kind: "invalid" };
  const [, before, host = "", port, path = ""] = match;
  return {
    kind: "host",
    scheme: before?.toLowerCase(),
    host: host.toLowerCase(),
    port,
    path,
  };
}

function parseQuotedSource(word: string): SourceExpression {
  if (word === "none" || word === "self") return { kind: word };
  if (/^nonce-[a-z0-9+/_-]+={0,2}$/.test(word)) return { kind: "nonce" };
  if (/^sha(?:256|384|512)-[a-z0-9+/_-]+={0,2}$/.test(word)) return { kind: "hash" };
  return KEYWORDS.has(word) ? { kind: "keyword", name: word } : { kind: "invalid" };
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** The parts of a URL; undefined for any other text. */
export function toUrlParts(url: string): UrlParts | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(url);
  const scheme = protocol.slice(0, -1).replace(/^ws(?=s?$)/, "http");
  const standard = DEFAULT_PORTS[scheme];
  // Sources match other schemes only by the scheme.
  if (standard === undefined) return { scheme, path: "" };
  return { scheme, host: hostname, port: port === "" ? standard : Number(port), path: pathname };
}

/**
 * True if a source matches a URL in a document with this URL. `'self'` matches nothing if it is
 * unknown.
 */
export function matchesSource(
  source: SourceExpression,
  target: UrlParts,
  document: UrlParts | undefined,
): boolean {
  switch (source.kind) {
    case "any":
      return target.host !== undefined || target.scheme === document?.scheme;
    case "scheme":
      return matchesScheme(source.scheme, target.scheme);
    case "self":
      return document !== undefined && matchesSelf(target, document);
    case "host":
      return (
        target.host !== undefined &&
        matchesScheme(source.scheme ?? document?.scheme ?? "https", target.scheme) &&
        matchesHost(source.host, target.host) &&
        matchesPort(source.port, target) &&
        matchesPath(source.path, target.path)
      );
    default:
      return false;
  }
}

function matchesSelf(target: UrlParts, document: UrlParts): boolean {
  if (target.host === undefined || target.host !== document.host) return false;
  if (target.scheme === document.scheme && target.port === document.port) return true;
  const areStandard = isStandardPort(target) && isStandardPort(document);
  return target.scheme === "https" && (target.port === document.port || areStandard);
}

function isStandardPort({ scheme, port }: UrlParts): boolean {
  return port === DEFAULT_PORTS[scheme];
}

const SECURE_UPGRADES: Readonly<Record<string, readonly string[]>> = {
  http: ["https"],
  ws: ["wss", "http", "https"],
  wss: ["https"],
};

/** A scheme also matches its secure variant; `ws:` is requested by http. */
function matchesScheme(scheme: string, of: string): boolean {
  return scheme === of || (SECURE_UPGRADES[scheme]?.includes(of) ?? false);
}

function matchesHost(pattern: string, host: string): boolean {
  return pattern.startsWith("*") ? host.endsWith(pattern.slice(1)) : pattern === host;
}

function matchesPort(port: string | undefined, target: UrlParts): boolean {
  if (port === "*") return true;
  return port === undefined ? isStandardPort(target) : Number(port) === target.port;
}

/** A path that ends in a slash matches everything below it, any other path only itself. */
function matchesPath(path: string, of: string): boolean {
  if (path === "") return true;
  const pieces = path.split("/");
  const others = of.split("/");
  const isFolder = path.endsWith("/");
  if (isFolder) pieces.pop();
  if (isFolder ? pieces.length >= others.length : pieces.length !== others.length) return false;
  return pieces.every((piece, index) => decodePath(piece) === decodePath(others[index] ?? ""));
}

function decodePath(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}
