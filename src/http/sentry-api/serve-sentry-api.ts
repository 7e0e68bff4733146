/**
 * Serves the part of Sentry's API that sentry-cli and the plugins of bundlers call. Every response
 * is JSON, because tools report other types as a broken server. No response is a redirect. "Busy"
 * is 503, which tools retry; 429 would end the upload.
 */
import { artifactLimits } from "../../core/artifacts/artifact-limits.ts";
import { asRecord, type JsonFields } from "../../core/decode/as-type.ts";
import { parseJson } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import type { ReleaseFacts } from "../../core/ports/source-maps-port.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { describeRelease } from "../../operations/describe-release.ts";
import type { AppContext } from "../context.ts";
import { toSentryFailureResponse } from "../failure-response.ts";
import type { Failure } from "../failures.ts";
import { readBody } from "../read-body.ts";
import { NO_STORE, SAME_ORIGIN_RESOURCE } from "../security-headers.ts";
import { runOrUnavailable } from "../unavailable.ts";
import { createUploadOptions, decodeBundle } from "./assemble.ts";
import {
  decodeDeploy,
  decodeProjectNames,
  decodeReleaseChange,
  toDeployJson,
  toReleaseJson,
} from "./release-json.ts";
import { parseSentryRoute, type SentryRoute } from "./sentry-route.ts";
import {
  checkProjectNames,
  findUploadAccess,
  getUploadSender,
  recordOtherProject,
  type UploadAccess,
} from "./upload-access.ts";

/** Serves `/api/0` and everything below it. */
export async function serveSentryApi(c: AppContext): Promise<Response> {
  const response = await respond(c);
  const headers = { ...SAME_ORIGIN_RESOURCE, "Cache-Control": NO_STORE };
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

async function respond(c: AppContext): Promise<Response> {
  const route = parseSentryRoute(new URL(c.req.url).pathname);
  const access = await findUploadAccess(c);
  if (!access.ok) return toSentryFailureResponse(access);
  const named = await checkNames(c, access.value, route?.project ? [route.project] : []);
  if (!named.ok) return toSentryFailureResponse(named);
  const answer = route && CALLS[`${c.req.method} ${route.call}`];
  if (!answer)
    return toSentryFailureResponse({ reason: "not-found", what: "call of Sentry's API" });
  const result = await runOrUnavailable(
    c,
    () => answer({ c, route, access: access.value }),
    "source-maps",
  );
  if (!result.ok) return toSentryFailureResponse(result);
  const { status = 200, body } = result.value;
  return Response.json(body, { status });
}

interface Call {
  readonly c: AppContext;
  readonly route: SentryRoute;
  readonly access: UploadAccess;
}

interface SentryResponse {
  readonly status?: number;
  readonly body: unknown;
}

/** Rejects while the object of the source maps is unavailable. */
type CallHandler = (call: Call) => Promise<Result<SentryResponse, Failure>>;

const CALLS: Readonly<Record<string, CallHandler>> = {
  "GET root": async () => ok({ body: { version: "0", auth: { scopes: ["org:ci"] }, user: null } }),
  "GET organization": describeOrganization,
  "GET chunk-upload": async ({ c }) => ok({ body: createUploadOptions(new URL(c.req.url).origin) }),
  "POST chunk-upload": storeChunks,
  "POST assemble": assemble,
  "GET repositories": async () => ok({ body: [] }),
  "GET previous-commits": async () => ok({ body: {} }),
  "GET releases": listReleases,
  "POST releases": changeRelease,
  "GET release": getRelease,
  "PUT release": changeRelease,
  "DELETE release": async ({ access }) =>
    fail({ reason: access.mayRead ? "releases-kept" : "upload-only" }),
  "GET deploys": listDeploys,
  "POST deploys": addDeploy,
};

async function describeOrganization({ route }: Call): Promise<Result<SentryResponse, Failure>> {
  const { organization: slug = "" } = route;
  return ok({ body: { id: "1", slug, name: slug } });
}

async function storeChunks({ c, access }: Call): Promise<Result<SentryResponse, Failure>> {
  const { body, headers } = c.req.raw;
  const max = artifactLimits.maxChunkBodyBytes;
  if (Number(headers.get("content-length")) > max)
    return fail({ reason: "too-large", limit: "maxBodyBytes", max });
  if (body === null) return fail({ reason: "bad-upload", expected: "chunks as multipart parts" });
  const { artifactUploads } = access.services;
  const stored = await artifactUploads.storeChunks(body, headers.get("content-type") ?? "");
  return stored.ok ? ok({ body: {} }) : stored;
}

async function assemble({ c, access }: Call): Promise<Result<SentryResponse, Failure>> {
  const fields = await readFields(c, access);
  if (!fields.ok) return fields;
  const bundle = decodeBundle(fields.value, c.req.header("user-agent") ?? "", getUploadSender(c));
  if (bundle === null)
    return fail({ reason: "bad-upload", expected: "checksum and chunks, each a SHA-1 in hex" });
  return ok({ body: await access.services.sourceMaps.assemble(bundle) });
}

async function changeRelease({ c, route, access }: Call): Promise<Result<SentryResponse, Failure>> {
  const fields = await readFields(c, access);
  if (!fields.ok) return fields;
  const change = decodeReleaseChange(fields.value, route.release);
  if (change === null) return fail({ reason: "bad-upload", expected: "version, a release" });
  const { facts } = await describeRelease(access.services, change);
  const status = route.release === undefined ? 201 : 200;
  return ok({ status, body: toReleaseJson(facts, access) });
}

async function addDeploy({ c, route, access }: Call): Promise<Result<SentryResponse, Failure>> {
  const fields = await readFields(c, access);
  if (!fields.ok) return fields;
  const deploy = decodeDeploy(fields.value);
  if (deploy === null) return fail({ reason: "bad-upload", expected: "environment, a name" });
  const { release: version = "" } = route;
  await access.services.sourceMaps.changeRelease({ version, deploy });
  return ok({ status: 201, body: toDeployJson(deploy) });
}

async function listReleases({ access }: Call): Promise<Result<SentryResponse, Failure>> {
  const all = await readFacts(access);
  return all.ok ? ok({ body: all.value.map((facts) => toReleaseJson(facts, access)) }) : all;
}

async function getRelease({ route, access }: Call): Promise<Result<SentryResponse, Failure>> {
  const found = await readFacts(access, route.release);
  if (!found.ok) return found;
  const [facts] = found.value;
  return facts ? ok({ body: toReleaseJson(facts, access) }) : fail({ reason: "unknown-release" });
}

async function listDeploys({ route, access }: Call): Promise<Result<SentryResponse, Failure>> {
  const found = await readFacts(access, route.release);
  if (!found.ok) return found;
  return ok({ body: found.value.flatMap(({ deploys }) => deploys.map(toDeployJson)) });
}

/** The facts of a release, or of the newest ones. Fails for a token that only uploads. */
async function readFacts(
  { mayRead, services }: UploadAccess,
  release?: string,
): Promise<Result<readonly ReleaseFacts[], Failure>> {
  if (!mayRead) return fail({ reason: "forbidden" });
  return ok(await services.sourceMaps.listReleaseFacts(release ? [release] : undefined));
}

/** The members of a JSON body, whose `projects` must be the token's. */
async function readFields(
  c: AppContext,
  access: UploadAccess,
): Promise<Result<JsonFields, Failure>> {
  const body = await readBody(c.req.raw);
  if (!body.ok) return body;
  const json = parseJson(body.value, limits.maxBodyBytes);
  if (!json.ok) return json;
  const fields = asRecord(json.value);
  if (fields === undefined) return fail({ reason: "not-json", expected: "a JSON object" });
  const named = await checkNames(c, access, decodeProjectNames(fields));
  return named.ok ? ok(fields) : named;
}

/** Like `checkProjectNames`; also shows a refused upload on `/source-maps`. */
async function checkNames(
  c: AppContext,
  access: UploadAccess,
  names: readonly string[],
): Promise<Result<null, Failure>> {
  const checked = checkProjectNames(access, names);
  if (!checked.ok && c.req.method !== "GET") await recordOtherProject(c, access, names);
  return checked;
}
