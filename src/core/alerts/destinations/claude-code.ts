/**
 * Claude Code in a workflow of GitHub Actions, started by the event `repository_dispatch`. Source:
 * docs.github.com, REST API, "Create a repository dispatch event": `event_type` of at most 100
 * characters, `client_payload` with at most ten members.
 */

import { toHandOffData } from "../hand-off.ts";
import {
  checkGitHubApi,
  dailyCapSetting,
  gitHubApiSetting,
  readHandOff,
  repositorySetting,
  toGitHubApi,
  toGitHubHeaders,
  tokenSetting,
  toPrompt,
} from "./agent-kind.ts";
import { defineDestination, maskKey } from "./destination-kind.ts";

/** The type of the event that starts the workflow. */
const EVENT = "errata-issue";

export const claudeCode = defineDestination({
  kind: "claude-code",
  label: "Claude Code",
  hint: "Starts a workflow of GitHub Actions by the event repository_dispatch. The token needs Contents: write.",
  isAgent: true,
  settings: {
    repository: repositorySetting(),
    token: tokenSetting("GitHub token", "github_pat_…"),
    dailyCap: dailyCapSetting(),
    url: gitHubApiSetting(),
  },
  checkTarget: ({ url }, rules) => checkGitHubApi(url, rules),
  describeTarget: ({ repository, token, url }) =>
    `${repository} at ${maskKey(token, toGitHubApi(url, ""))}`,
  createCall({ repository, token, url }, message) {
    const headers = toGitHubHeaders(token);
    const handOff = readHandOff(message);
    const path = `/repos/${repository}`;
    if (handOff === null)
      return { kind: "json", method: "GET", url: toGitHubApi(url, path), headers, body: {} };
    const data = toHandOffData(handOff.facts, handOff.base);
    return {
      kind: "json",
      url: toGitHubApi(url, `${path}/dispatches`),
      headers,
      body: { event_type: EVENT, client_payload: { ...data, task: toPrompt(handOff) } },
    };
  },
  answers: { isStatusEnough: true },
});
