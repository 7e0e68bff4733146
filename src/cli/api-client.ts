/** Calls Errata. A busy server is asked again once its time has passed. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { API_PATH, getProjectBasePath } from "../core/accounts/project-path.ts";
import { CommandFailure } from "./failure.ts";
import type { ApiRequest } from "./operation-table.ts";
import { isUploadToken, type Target } from "./settings.ts";

/** The longest wait for a busy server, s. */
const MAX_WAIT_S = 30;
/** How long a response may take, ms. */
const TIMEOUT_MS = 60_000;

interface SendOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  /** Set for a body or a response of any size, which takes its time. */
  readonly isLong?: true;
  /** Says once that the command waits. */
  readonly onWait: (seconds: number) => void;
}

/** The token of a target that is valid now. Throws if its login has ended. */
export async function getToken({ token, renewToken }: Target): Promise<string | undefined> {
  return renewToken === undefined ? token : renewToken();
}

/** The path of a project: empty for the first one. Throws for what is no number: `..` would be it. */
export function toProjectPath({ project }: Pick<Target, "project">): string {
  if (!/^[1-9]\d{0,8}$/.test(project))
    throw new CommandFailure("usage", "--project: expected the number of a project.");
  return getProjectBasePath(project);
}

/**
 * A response of any status but those of failures. `path` begins with `/`, within the project. Throws
 * a `CommandFailure` with the sentence of the server.
 */
export async function send(target: Target, path: string, options: SendOptions): Promise<Response> {
  const { method = "GET", headers = {}, body, isLong, onWait } = options;
  const address = target.url + toProjectPath(target) + path;
  const token = await getToken(target);
  for (let attempt = 0; ; attempt++) {
    let response: Response;
    try {
      response = await fetch(address, {
        method,
        redirect: "manual",
        headers: {
          Accept: "application/json",
          "User-Agent": `errata-cli/${ERRATA_CLI_VERSION}`,
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        ...(body instanceof ReadableStream && { duplex: "half" }),
        signal: isLong ? null : AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (cause) {
      throw new CommandFailure(
        "failed",
        `${target.url} cannot be reached: ${describeCause(cause)}.`,
      );
    }
    const retryAfter = response.headers.get("retry-after");
    const waitS = Number(retryAfter);
    const isBusy = response.status === 429 || response.status === 503;
    if (
      isBusy &&
      retryAfter !== null &&
      attempt < 3 &&
      waitS <= MAX_WAIT_S &&
      !(body instanceof ReadableStream)
    ) {
      await response.body?.cancel();
      if (attempt === 0) onWait(Math.max(1, waitS));
      await sleep(1_000 * Math.max(1, waitS));
      continue;
    }
    if (response.ok) return response;
    throw await toFailure(response, target);
  }
}

/** The JSON of an operation, as the server sent it. A change that is sent again is made once. */
export async function callApi(
  target: Target,
  { method, path, body }: ApiRequest,
  onWait: SendOptions["onWait"],
): Promise<string> {
  const response = await send(target, API_PATH + path, {
    method,
    onWait,
    headers: {
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(method !== "GET" && { "Idempotency-Key": randomUUID() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!isJson(response))
    throw new CommandFailure("failed", `${target.url} did not answer as Errata does.`);
  return response.text();
}

function isJson({ headers }: Response): boolean {
  return /[/+]json\b/.test(headers.get("content-type") ?? "");
}

/** The innermost reason of a failed request: `connect ECONNREFUSED 127.0.0.1:8787`. */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? describeCause(error.cause) : error.message;
}

async function toFailure(response: Response, target: Target): Promise<CommandFailure> {
  const { status } = response;
  if (status === 401 && isUploadToken(target)) return new CommandFailure("denied", UPLOAD_TOKEN);
  const detail = await readDetail(response);
  const text = detail ?? `The server answered ${status}.`;
  if (status === 401) return new CommandFailure("denied", `${text} Run \`errata login\`.`);
  if (status === 403) return new CommandFailure("denied", text);
  // A server that is no Errata knows nothing of issues.
  if (status === 404 && detail !== undefined) return new CommandFailure("not-found", text);
  if (status >= 300 && status < 400)
    return new CommandFailure("failed", "The server redirects: expected the address of Errata.");
  return new CommandFailure(status === 400 ? "usage" : "failed", text);
}

const UPLOAD_TOKEN =
  "An upload token can only upload source maps and describe releases. Use an API token for this.";

/** The sentence of a failure (RFC 9457, section 3.1.4). */
async function readDetail(response: Response): Promise<string | undefined> {
  try {
    const { detail } = (await response.json()) as { detail?: unknown };
    return typeof detail === "string" ? detail : undefined;
  } catch {
    return undefined;
  }
}
