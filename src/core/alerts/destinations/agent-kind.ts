/** What destinations that lead to coding agents have in common. Pure. */
import * as v from "valibot";
import { ok } from "../../result.ts";
import { alertLimits } from "../alert-limits.ts";
import type { AlertMessage } from "../alert-message.ts";
import { refuse } from "../decode.ts";
import {
  DEFAULT_DAILY_HAND_OFFS,
  type HandOffFacts,
  MAX_DAILY_HAND_OFFS,
  toHandOffPrompt,
} from "../hand-off.ts";
import { type Checked, checkUrl, type SettingField, type TargetRules } from "./destination-kind.ts";

const CAP = `Enter a number of hand-offs a day from 1 to ${MAX_DAILY_HAND_OFFS}.`;
const BRANCH = "Enter the name of a branch.";
const REPOSITORY = "Enter a repository as owner/name.";

/** How many issues the agent gets in a UTC day. */
export function dailyCapSetting() {
  const field: SettingField = {
    label: "Hand-offs a day",
    placeholder: String(DEFAULT_DAILY_HAND_OFFS),
    isOptional: true,
  };
  return v.pipe(
    v.optional(v.string(CAP)),
    v.check((text) => text === undefined || isCap(text), CAP),
    v.metadata({ field }),
  );
}

function isCap(text: string): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_DAILY_HAND_OFFS;
}

/** The cap that the settings state. */
export function getDailyCap(settings: object): number {
  const { dailyCap } = settings as { readonly dailyCap?: string };
  return dailyCap === undefined ? DEFAULT_DAILY_HAND_OFFS : Number(dailyCap);
}

/** `owner/name` of a repository. */
export function repositorySetting() {
  const field: SettingField = { label: "Repository", placeholder: "acme/shop" };
  return v.pipe(
    v.string(REPOSITORY),
    v.regex(/^[A-Za-z\d][\w-]{0,38}\/(?!\.{1,2}$)[\w.-]{1,100}$/, REPOSITORY),
    v.metadata({ field }),
  );
}

/** The branch on which the agent begins; absent for the default branch. */
export function branchSetting() {
  const field: SettingField = {
    label: "Branch, if it is not the default branch",
    placeholder: "main",
    isOptional: true,
  };
  return v.pipe(
    v.optional(v.pipe(v.string(BRANCH), v.regex(/^[\w./-]{1,200}$/, BRANCH))),
    v.metadata({ field }),
  );
}

/** A token or API key. */
export function tokenSetting(label: string, placeholder: string) {
  const problem = `The ${label.toLowerCase()} is not valid.`;
  const field: SettingField = { label, placeholder };
  return v.pipe(
    v.string(problem),
    v.maxLength(alertLimits.maxTargetChars, problem),
    v.regex(/^[\x21-\x7e]{10,}$/, problem),
    v.metadata({ field }),
  );
}

const GITHUB_API = "https://api.github.com";

/** The API of a GitHub Enterprise Server. */
export function gitHubApiSetting() {
  const field: SettingField = {
    label: "API of GitHub Enterprise Server, if needed",
    placeholder: "https://github.example.com/api/v3",
    isOptional: true,
  };
  return v.pipe(v.optional(v.string()), v.metadata({ field }));
}

/** The address of a request to GitHub's API. */
export function toGitHubApi(url: string | undefined, path: string): string {
  return `${(url ?? GITHUB_API).replace(/\/+$/, "")}${path}`;
}

/** The headers of a request to GitHub's API. */
export function toGitHubHeaders(token: string) {
  return {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "x-github-api-version": "2022-11-28",
  } as const;
}

/** Accepts the API of github.com, and another one that the rules for targets allow. */
export function checkGitHubApi(url: string | undefined, rules: TargetRules): Checked {
  if (url === undefined) return ok(undefined);
  const checked = checkUrl(url, rules);
  if (!checked.ok) return checked;
  const { search, hash } = new URL(url);
  return search === "" && hash === "" ? ok(undefined) : refuse("The URL must end with its path.");
}

/** The hand-off of a message, and the address of the desk; null for a test. */
export function readHandOff({ handOff, project, kind }: AlertMessage) {
  if (kind === "test") return null;
  if (handOff === undefined) throw new Error("the message hands nothing off");
  return { facts: handOff, base: project.url.replace(/\/issues$/, "") };
}

/** The task in words. */
export function toPrompt({ facts, base }: { readonly facts: HandOffFacts; readonly base: string }) {
  return toHandOffPrompt(facts, base);
}
