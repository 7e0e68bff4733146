/**
 * Copilot's cloud agent, by GitHub's API of agent tasks. Source: docs.github.com, "Using Copilot
 * cloud agent via the API": `POST /agents/repos/{owner}/{repo}/tasks` with `prompt`, `base_ref` and
 * `create_pull_request`; a public preview, for tokens of persons.
 */
import {
  branchSetting,
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

export const copilot = defineDestination({
  kind: "copilot",
  label: "GitHub Copilot",
  hint: "Starts a task of the cloud agent. The token of a person needs Agent tasks: write.",
  isAgent: true,
  settings: {
    repository: repositorySetting(),
    token: tokenSetting("GitHub token", "github_pat_…"),
    branch: branchSetting(),
    dailyCap: dailyCapSetting(),
    url: gitHubApiSetting(),
  },
  checkTarget: ({ url }, rules) => checkGitHubApi(url, rules),
  describeTarget: ({ repository, token, url }) =>
    `${repository} at ${maskKey(token, toGitHubApi(url, ""))}`,
  createCall({ repository, token, branch, url }, message) {
    const headers = toGitHubHeaders(token);
    const handOff = readHandOff(message);
    if (handOff === null)
      return {
        kind: "json",
        method: "GET",
        url: toGitHubApi(url, `/repos/${repository}`),
        headers,
        body: {},
      };
    return {
      kind: "json",
      url: toGitHubApi(url, `/agents/repos/${repository}/tasks`),
      headers,
      body: {
        prompt: toPrompt(handOff),
        ...(branch !== undefined && { base_ref: branch }),
        create_pull_request: true,
      },
    };
  },
  answers: { isStatusEnough: true },
});
