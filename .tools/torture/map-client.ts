// The requests of sentry-cli that upload a bundle of source maps.

import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { cutChunks, toSha1 } from "../../tests/support/source-maps/make-build.ts";
import type { Client } from "../rig/client.ts";

const API = "/api/0/organizations/errata";
const RETRY_MS = 100;
/** The headers of a form on Errata's own page. */
const OWN_PAGE = { "sec-fetch-site": "same-origin" };

/** Uploads with a new token, whose creation continues after kills. */
export function createMapClient(client: Client) {
  const token = createToken();

  /** Creates the token of a program, which survives kills. */
  async function createToken(): Promise<string> {
    for (;;) {
      const headers = { "content-type": "application/x-www-form-urlencoded", ...OWN_PAGE };
      const body = "do=add-token&name=torture&role=uploader";
      const { text } = await client.send({ method: "POST", path: "/settings", headers, body });
      const found = /sntrys_[\w=+/-]+/.exec(text)?.[0];
      if (found !== undefined) return found;
      await sleep(RETRY_MS);
    }
  }

  /** Requests the state of a bundle, and its conversion once its chunks are there. */
  async function assemble(bundle: Uint8Array, release: string) {
    const chunks = cutChunks(bundle).map(toSha1);
    const body = JSON.stringify({
      checksum: toSha1(bundle),
      chunks,
      projects: ["1"],
      version: release,
    });
    const headers = { ...(await createHeaders()), "content-type": "application/json" };
    const path = `${API}/artifactbundle/assemble/`;
    const answer = await client.send({ method: "POST", path, headers, body });
    return answer.status === 200 ? answer.body : undefined;
  }

  /** Sends the missing chunks. May disconnect before the response. */
  async function sendChunks(bundle: Uint8Array, missing: readonly string[], chance: () => number) {
    const form = new FormData();
    for (const chunk of cutChunks(bundle)) {
      if (!missing.includes(toSha1(chunk))) continue;
      form.append("file_gzip", new File([new Uint8Array(gzipSync(chunk))], toSha1(chunk)));
    }
    const { body, type } = await encode(form);
    const headers = { ...(await createHeaders()), "content-type": type };
    const leaveAfterMs = chance() < 0.1 ? 20 * chance() : undefined;
    await client.send({
      method: "POST",
      path: `${API}/chunk-upload/`,
      headers,
      body,
      leaveAfterMs,
    });
  }

  async function createHeaders() {
    return { authorization: `Bearer ${await token}`, "user-agent": "sentry-cli/3.8.0" };
  }

  return { assemble, sendChunks };
}

async function encode(form: FormData) {
  const response = new Response(form);
  return {
    body: new Uint8Array(await response.arrayBuffer()),
    type: response.headers.get("content-type") ?? "",
  };
}
