/**
 * `PUT /source-maps?release=…&url=…`: a map, a script, or a zip or tar of a build, as `curl -T`
 * sends it. If the address ends with a slash, curl appends the name of the file.
 */
import type { MiddlewareHandler } from "hono";
import { FIRST_PROJECT_ID, getProjectBasePath } from "../../core/accounts/project-path.ts";
import { artifactLimits } from "../../core/artifacts/artifact-limits.ts";
import { limits } from "../../core/limits.ts";
import { ok } from "../../core/result.ts";
import { UPLOAD_TOKEN_PREFIX } from "../../core/scrubbing/own-secrets.ts";
import { truncateOneLine } from "../../core/truncate.ts";
import { readBearerToken } from "../auth/authenticate.ts";
import { authorize } from "../auth/authorize.tsx";
import type { AppContext, AppEnv } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import { runOrUnavailable } from "../unavailable.ts";
import {
  findUploadAccess,
  getUploadSender,
  readUserAgentProduct,
  recordOtherProject,
} from "./upload-access.ts";

const authorizeMember = authorize("member", "upload");

/** Middleware that admits upload tokens of the project, and members of it. */
export const authorizeUpload: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!readBearerToken(c)?.startsWith(UPLOAD_TOKEN_PREFIX)) return authorizeMember(c, next);
  const access = await findUploadAccess(c);
  if (!access.ok) return toFailureResponse(access);
  const { project, services } = access.value;
  const named = c.req.param("project") ?? FIRST_PROJECT_ID;
  if (project.id !== named) {
    await recordOtherProject(c, access.value, [named]);
    const path = `${getProjectBasePath(project.id)}/source-maps`;
    return toFailureResponse({ reason: "other-project", expected: `the path ${path}` });
  }
  c.set("project", project.id);
  c.set("services", services);
  await next();
};

/**
 * Stores the file. JSON: `{"files":[{"url","kind","debugId","sources","problems",…}]}`, with an
 * entry for each file and its problems. 400 and 413 with a sentence for a refused body; 503 while
 * the object of the source maps is unavailable.
 */
export async function uploadFile(c: AppContext): Promise<Response> {
  const { body, headers } = c.req.raw;
  const max = artifactLimits.maxBundleBytes;
  if (Number(headers.get("content-length")) > max)
    return toFailureResponse({ reason: "too-large", limit: "maxBodyBytes", max });
  if (body === null) return toFailureResponse({ reason: "bad-upload", expected: EXPECTED_FILE });
  const { artifactUploads } = c.get("services");
  const query = (name: string, maxChars: number) =>
    truncateOneLine(c.req.query(name), maxChars) || undefined;
  const upload = {
    name: c.req.param("name")?.slice(0, artifactLimits.maxUrlChars),
    release: query("release", limits.maxReleaseChars),
    dist: query("dist", limits.maxReleaseChars),
    url: query("url", artifactLimits.maxUrlChars),
    tool: readUserAgentProduct(headers.get("user-agent") ?? ""),
    sender: getUploadSender(c),
  };
  const stored = await runOrUnavailable(
    c,
    async () => {
      const result = await artifactUploads.storeSingle(body, upload);
      return result.ok ? ok(result.value) : result;
    },
    "source-maps",
  );
  return stored.ok ? c.json(stored.value) : toFailureResponse(stored);
}

const EXPECTED_FILE = "a file in the body, as curl -T sends it";
