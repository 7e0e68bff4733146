/**
 * Authorizes uploads by a token: an upload token, or an API token of a member or an owner. Sessions
 * and local access never authorize them, so no page of another site can upload.
 */
import { findTokenProject } from "../../core/accounts/actors.ts";
import { FIRST_PROJECT_ID } from "../../core/accounts/project-path.ts";
import { findProject, type Project } from "../../core/accounts/registry.ts";
import { toHex } from "../../core/hex.ts";
import { limits } from "../../core/limits.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { toOneLine, truncateText } from "../../core/truncate.ts";
import { hasInsecureToken, readBearerToken } from "../auth/authenticate.ts";
import type { AppContext, Services } from "../context.ts";
import type { Failure } from "../failures.ts";
import { awaitOrNull } from "../unavailable.ts";

/** The project of a token that may upload. */
export interface UploadAccess {
  readonly project: Project;
  /** The services of the project. */
  readonly services: Services;
  /** False for an upload token. */
  readonly mayRead: boolean;
}

/**
 * Names the sender of an upload, whose bytes in an hour are limited: by its token, or the person.
 */
export function getUploadSender(c: AppContext): string {
  const token = readBearerToken(c);
  const { sha256 } = c.get("services");
  if (token !== undefined) return toHex(sha256(token)).slice(0, SENDER_CHARS);
  return c.get("principal").person?.id ?? "local";
}

const SENDER_CHARS = 16;

/**
 * The project that the token of the request may upload to. Fails if there is none, while the
 * registry is unavailable, and for an archived project.
 */
export async function findUploadAccess(c: AppContext): Promise<Result<UploadAccess, Failure>> {
  if (hasInsecureToken(c)) return fail({ reason: "https-required" });
  const token = readBearerToken(c);
  if (token === undefined || token.length > limits.maxUploadTokenChars)
    return fail({ reason: "unauthenticated" });
  const services = c.get("services");
  const { config, registry, sha256, nowMs, logProblem } = services;
  const hash = toHex(sha256(token));
  const isOwnBuild = config.upload?.hash === hash && config.upload.expiresMs > nowMs();
  let found: ReturnType<typeof findTokenProject>;
  try {
    if (isOwnBuild) {
      const first = findProject(await registry.readCopy(), FIRST_PROJECT_ID);
      if (first) return ok({ project: first, services, mayRead: false });
    }
    found =
      findTokenProject(await registry.readCopy(), hash, nowMs()) ??
      findTokenProject(await registry.readFresh(), hash, nowMs());
  } catch (cause) {
    logProblem(cause);
    return fail({ reason: "registry-unavailable" });
  }
  if (found === null) return fail({ reason: "unauthenticated" });
  const { project, token: known } = found;
  registry.recordUse(known.id);
  if (known.role === "viewer") return fail({ reason: "upload-forbidden" });
  if (project.archivedMs !== undefined) return fail({ reason: "archived" });
  return ok({
    project,
    services: project.id === FIRST_PROJECT_ID ? services : services.forProject(project.id),
    mayRead: known.role !== "uploader",
  });
}

/**
 * Fails with `other-project` if the tool is configured with another project than the token's. A
 * project is named by its number or by its name as a slug. Tools send `[""]` without a configured
 * project.
 */
export function checkProjectNames(
  { project }: UploadAccess,
  names: readonly string[],
): Result<null, Failure> {
  const known = [project.id, toProjectSlug(project)];
  if (names.every((name) => name === "" || known.includes(name.toLowerCase()))) return ok(null);
  const words = [...new Set(known)].join(" or ");
  return fail({ reason: "other-project", expected: `the project of the token: ${words}` });
}

/**
 * Shows a refused upload on `/source-maps` of the token's project: most tools hide the reason, and
 * their builds succeed. `named` is what the tool was configured with. Never rejects.
 */
export async function recordOtherProject(
  c: AppContext,
  { project, services }: UploadAccess,
  named: readonly string[],
): Promise<void> {
  const tool = readUserAgentProduct(c.req.header("user-agent") ?? "") ?? "A tool";
  const names = named
    .slice(0, MAX_NAMES)
    .map((name) => JSON.stringify(truncateText(toOneLine(name), MAX_NAME_CHARS)));
  const own = [...new Set([project.id, toProjectSlug(project)])].join(" or ");
  const detail = `${tool} named ${names.join(", ")}, but its token is for the project ${own}.`;
  await awaitOrNull(c, services.sourceMaps.recordRefusal(detail));
}

const MAX_NAMES = 3;
const MAX_NAME_CHARS = 60;

/** The first product of a `User-Agent`: `sentry-cli/3.8.0`. */
export function readUserAgentProduct(userAgent: string): string | undefined {
  return /^[\w.-]{1,40}\/[\w.+-]{1,40}/.exec(userAgent)?.[0];
}

/** The name as in Sentry's URLs, `web-shop`; the number if the name has no ASCII letters. */
export function toProjectSlug({ id, name }: Pick<Project, "id" | "name">): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join("-") ?? id;
}
