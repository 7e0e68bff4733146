/**
 * The responses that a server of Node.js has begun, so that a failure can add its digest to the
 * header: the hook of Next.js and its handlers get no response. On other runtimes nothing is found.
 */

import { hasProperties } from "../core/read-property.ts";
import { loadBuiltin } from "./builtin-module.ts";
import { formatPageFacts, PAGE_FACTS_HEADER, type PageFacts } from "./page-facts.ts";

/** The part of Node's `ServerResponse` that adapters use. */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly statusCode: number;
  readonly getHeader: (name: string) => unknown;
  readonly setHeader: (name: string, value: string) => unknown;
  readonly once: (event: string, listener: () => void) => unknown;
  readonly req: SentRequest & { readonly headers: Readonly<Record<string, unknown>> };
  writeHead: (status: number, ...rest: unknown[]) => unknown;
}

/** A request of the HTTP server. */
interface SentRequest {
  readonly method?: string | undefined;
  /** The path with the query, or a URL that ends with it. */
  readonly url?: string | undefined;
}

/** Each bundle has its own copy of this module. */
const RESPONSES: unique symbol = Symbol.for("errata.node-responses");
const shared = globalThis as { [RESPONSES]?: Set<NodeResponse> };

/** Starts to notice requests. Further calls do nothing. Never throws. */
export function watchResponses(): void {
  if (shared[RESPONSES] !== undefined) return;
  const open = new Set<NodeResponse>();
  shared[RESPONSES] = open;
  const channels = loadBuiltin("node:diagnostics_channel") as DiagnosticsChannels | undefined;
  channels?.subscribe("http.server.request.start", (message) => {
    const { response } = message as { readonly response: NodeResponse };
    open.add(response);
    response.once("close", () => open.delete(response));
  });
}

interface DiagnosticsChannels {
  readonly subscribe: (name: string, listener: (message: unknown) => void) => void;
}

/** Headers that tell the requests of different clients apart. */
const CLIENT_HEADERS = ["accept", "authorization", "cookie", "user-agent", "x-forwarded-for"];

/**
 * The response to a request, by the object of its headers, which Next.js gives to its hook, else to
 * an equal request. Equal requests fail alike.
 */
export function findResponse(
  { method, url }: SentRequest,
  headers: object,
  read: (name: string) => unknown,
): NodeResponse | undefined {
  const open = [...(shared[RESPONSES] ?? [])];
  const isEqual = ({ req }: NodeResponse) =>
    req.method === method &&
    withoutQuery(url).endsWith(withoutQuery(req.url)) &&
    CLIENT_HEADERS.every((name) => (read(name) ?? undefined) === req.headers[name]);
  return open.find(({ req }) => req.headers === headers) ?? open.find(isEqual);
}

/** vinext tells its hook the path alone. */
function withoutQuery(url = ""): string {
  return url.replace(/\?.*$/s, "");
}

/** Adds facts about the page to the header of a response, unless it is sent. */
export function addFacts(response: NodeResponse | undefined, facts: PageFacts): void {
  if (response === undefined || response.headersSent) return;
  const entry = formatPageFacts(facts);
  response.setHeader(PAGE_FACTS_HEADER, join(response.getHeader(PAGE_FACTS_HEADER), entry));
  // Some servers give all headers at once, which replaces those that are set.
  const { writeHead } = response;
  response.writeHead = (status, ...rest) => {
    const headers = rest.findIndex((one) => hasProperties(one) && !Array.isArray(one));
    if (headers !== -1) rest[headers] = addToHeaders(rest[headers] as HeaderFields, entry);
    return writeHead.call(response, status, ...rest);
  };
}

type HeaderFields = Readonly<Record<string, unknown>>;

function addToHeaders(headers: HeaderFields, entry: string): HeaderFields {
  const isFacts = (name: string) => name.toLowerCase() === PAGE_FACTS_HEADER.toLowerCase();
  const name = Object.keys(headers).find(isFacts);
  return name === undefined ? headers : { ...headers, [name]: join(headers[name], entry) };
}

function join(before: unknown, entry: string): string {
  const entries = [before ?? []].flat();
  return entries.join().includes(entry) ? entries.join(", ") : [...entries, entry].join(", ");
}
