/**
 * Cursor's cloud agents. Source: cursor.com/docs, "Cloud Agents API": `POST /v0/agents` with
 * `prompt.text`, `source.repository`, `source.ref` and `target.autoCreatePr`; Basic authentication
 * with the API key as user name. `GET /v0/me` describes the key.
 */

import * as v from "valibot";
import { ok } from "../../result.ts";
import {
  branchSetting,
  dailyCapSetting,
  readHandOff,
  repositorySetting,
  tokenSetting,
  toPrompt,
} from "./agent-kind.ts";
import { checkUrl, defineDestination, maskKey } from "./destination-kind.ts";

const DEFAULT_URL = "https://api.cursor.com";

export const cursor = defineDestination({
  kind: "cursor",
  label: "Cursor",
  hint: "Starts a cloud agent on a repository of GitHub, which opens a pull request.",
  isAgent: true,
  settings: {
    repository: repositorySetting(),
    token: tokenSetting("API key", "key_…"),
    branch: branchSetting(),
    dailyCap: dailyCapSetting(),
    /** Not in the form: Cursor has one API. */
    url: v.optional(v.string()),
  },
  checkTarget: ({ url }, rules) => (url === undefined ? ok(undefined) : checkUrl(url, rules)),
  describeTarget: ({ repository, token, url = DEFAULT_URL }) =>
    `${repository} at ${maskKey(token, url)}`,
  createCall({ repository, token, branch, url = DEFAULT_URL }, message) {
    const headers = { authorization: `Basic ${btoa(`${token}:`)}` };
    const handOff = readHandOff(message);
    if (handOff === null)
      return { kind: "json", method: "GET", url: `${url}/v0/me`, headers, body: {} };
    return {
      kind: "json",
      url: `${url}/v0/agents`,
      headers,
      body: {
        prompt: { text: toPrompt(handOff) },
        source: {
          repository: `https://github.com/${repository}`,
          ...(branch !== undefined && { ref: branch }),
        },
        target: { autoCreatePr: true },
      },
    };
  },
  answers: { isStatusEnough: true },
});
