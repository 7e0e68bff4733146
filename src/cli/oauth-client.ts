/** The command as a program of OAuth: the requests to the endpoints of Errata. */
import { CLI_CLIENT_ID } from "../core/oauth/endpoints.ts";
import { describeCause } from "./api-client.ts";
import { CommandFailure } from "./failure.ts";

const TIMEOUT_MS = 60_000;

/** The members of an endpoint's answer that the command reads. */
export interface OAuthAnswer {
  readonly status: number;
  readonly error?: string;
  readonly error_description?: string;
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
  readonly project?: string;
  readonly device_code?: string;
  readonly user_code?: string;
  readonly interval?: number;
}

/** Sends a form to `/oauth/<endpoint>`. Throws if the server cannot be reached. */
export async function postForm(
  url: string,
  endpoint: "device" | "token" | "revoke",
  fields: Readonly<Record<string, string>>,
): Promise<OAuthAnswer> {
  try {
    const response = await fetch(`${url}/oauth/${endpoint}`, {
      method: "POST",
      redirect: "manual",
      headers: { "User-Agent": `errata-cli/${ERRATA_CLI_VERSION}` },
      body: new URLSearchParams({ client_id: CLI_CLIENT_ID, ...fields }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const json = (await response.json().catch(() => ({}))) as object;
    return { ...json, status: response.status };
  } catch (cause) {
    throw new CommandFailure("failed", `${url} cannot be reached: ${describeCause(cause)}.`);
  }
}

/** The tokens of an answer. Throws without them. */
export function readTokens(answer: OAuthAnswer, nowMs: number) {
  const { access_token: token, refresh_token: refresh, expires_in: seconds, status } = answer;
  if (token === undefined || refresh === undefined || typeof seconds !== "number")
    throw new CommandFailure("failed", `Expected tokens. The server answered ${status}.`);
  return { token, renewal: { token: refresh, expiresMs: nowMs + seconds * 1_000 } };
}
