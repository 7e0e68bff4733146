/**
 * The reporting path: whatever browsers, SDKs and servers report, told apart by looking at the body. It answers when every
 * report is durable, as the sender's format wants to be answered; never with a redirect, and with `Retry-After` only when
 * the log cannot take anything.
 */
import type { Outcome } from "../core/outcome.ts";
import { present } from "../core/present.ts";
import { type Ingested, ingest } from "../ingest.ts";
import { readBody } from "./body.ts";
import { failureResponse } from "./failures.ts";
import type { AppContext } from "./services.ts";

/** Outcomes named in the response's header: enough for a person who looks on with curl. */
const MAX_OUTCOMES_IN_HEADER = 20;

const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "X-Sentry-Rate-Limits, Retry-After, Errata-Outcome",
} as const;

/** `POST /monitoring`: takes reports without a key, for the first project; same-origin pages need no configuration. */
export async function receive(c: AppContext): Promise<Response> {
  const services = c.get("services");
  const body = await readBody(c.req.raw);
  if (!body.ok) return withCors(failureResponse(body));
  const ingested = await ingest(body.value, {
    log: services.log,
    nowMs: services.nowMs(),
    mintId: services.mintId,
    sha256: services.sha256,
    ...present({
      userAgent: c.req.header("user-agent"),
      rayId: c.req.header("cf-ray"),
      referer: c.req.header("referer"),
    }),
  });
  return withCors(ingested.ok ? answer(ingested.value) : failureResponse(ingested));
}

/**
 * `POST /api/<project>/envelope/`, where an unmodified Sentry SDK posts to by its DSN: the same, behind the project's key.
 * The key stands in the query, in `X-Sentry-Auth`, or in the DSN of the envelope's header (Sentry develop docs, § Authentication).
 */
export async function receiveWithKey(c: AppContext): Promise<Response> {
  const { config } = c.get("services");
  if (c.req.param("project") !== config.project) {
    return withCors(failureResponse({ reason: "unknown-project" }));
  }
  const key = c.req.query("sentry_key") ?? keyOfAuth(c.req.header("x-sentry-auth"));
  if (config.ingestKey === undefined || key !== config.ingestKey) {
    return withCors(failureResponse({ reason: "unknown-key" }));
  }
  return receive(c);
}

/** The preflight of a cross-origin upload (`application/reports+json` is no simple content type). */
export function preflight(c: AppContext): Response {
  return c.body(null, 204, {
    ...CORS,
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers":
      "content-type, content-encoding, authorization, x-sentry-auth, x-requested-with, sentry-trace, baggage",
    "Access-Control-Max-Age": "3600",
  });
}

/** Every other method: 405 that names the right one. */
export function wrongMethod(): Response {
  return withCors(failureResponse({ reason: "method", allow: ["POST", "OPTIONS"] }));
}

/** The answer that the format's clients understand; 400 when a part was broken, although what was good in it is kept. */
function answer({ format, id, outcomes }: Ingested): Response {
  const headers = { "Errata-Outcome": outcomeHeader(outcomes) };
  const broken = outcomes.find((outcome) => outcome.outcome === "invalid");
  if (broken !== undefined) {
    const kept = outcomes.filter(({ outcome }) => outcome === "accepted").length;
    const status = broken.why === "too-large" ? 413 : 400;
    const body = {
      reason: broken.why,
      detail: broken.expected,
      kept,
      ...(id !== undefined && { id }),
    };
    return Response.json(body, { status, headers });
  }
  switch (format) {
    case "sentry-envelope":
    case "sentry-event":
      return Response.json(id === undefined ? {} : { id }, { headers });
    case "reporting-api":
    case "csp-report":
      return new Response(null, { status: 204, headers });
    case "reporter":
    case "next": {
      const accepted = outcomes.find((outcome) => outcome.outcome === "accepted");
      const codes = accepted && { id: accepted.id, digest: accepted.digest };
      return Response.json(codes ?? {}, { status: 202, headers });
    }
  }
}

/** `accepted;item=event;id=…;digest=7F3K-Q2M9, counted;item=session` (a list of RFC 9651). */
function outcomeHeader(outcomes: readonly Outcome[]): string {
  const members = outcomes.slice(0, MAX_OUTCOMES_IN_HEADER).map((outcome) => {
    const item = outcome.item.replace(/[^a-z0-9_.-]/gi, "").slice(0, 40) || "item";
    const codes =
      outcome.outcome === "accepted"
        ? `;id="${outcome.id}";digest="${outcome.digest}"${outcome.repeated ? ";repeated" : ""}`
        : "";
    const why = "why" in outcome ? `;why=${outcome.why}` : "";
    return `${outcome.outcome};item="${item}"${codes}${why}`;
  });
  return members.join(", ");
}

function keyOfAuth(header: string | undefined): string | undefined {
  return /(?:^|[\s,])sentry_key=(\w+)/.exec(header ?? "")?.[1];
}

function withCors(response: Response): Response {
  for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value);
  response.headers.set("Cache-Control", "no-store");
  return response;
}
