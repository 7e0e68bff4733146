/**
 * The prefilled form of a new issue in a GitHub repository. Errata sends nothing to GitHub. All
 * reported text is in one code block, in which GitHub finds no mentions, references or links; the
 * title is plain text. Source: docs.github.com, "Creating an issue from a URL query".
 */

import { toCodeBlock } from "../../markdown.ts";
import { joinTypeAndMessage } from "../../report/title.ts";
import { fail, ok, type Result } from "../../result.ts";
import type { AlertedIssue } from "../alert-message.ts";
import { breakLinks, toInertLine } from "./inert-text.ts";

/** The longest link that every format accepts. GitHub accepts about 8,000. */
const MAX_URL_CHARS = 2_000;
/** Text lengths to try until the link is short enough. A character takes up to nine in a URL. */
const TEXT_CHARS = [300, 150, 80, 40, 20];
const MAX_TITLE_CHARS = 120;
const REPOSITORY =
  /^(?:https:\/\/github\.com\/)?([A-Za-z\d][\w-]{0,38}\/[\w.-]{1,100}?)(?:\.git)?\/?$/;

/** `owner/name` of such a text, or of a URL such as `https://github.com/acme/shop`. */
export function parseGitHubRepository(
  text: string,
): Result<string, { reason: "invalid"; detail: string }> {
  const repository = REPOSITORY.exec(text)?.[1];
  if (repository === undefined || /\/\.{1,2}$/.test(repository)) {
    const detail = "Enter owner/name, or a URL such as https://github.com/acme/shop.";
    return fail({ reason: "invalid", detail });
  }
  return ok(repository);
}

/** The URL of the form. `issueUrl` is the page of the issue in Errata. */
export function createGitHubIssueUrl(
  repository: string,
  issue: Omit<AlertedIssue, "links">,
  issueUrl: string,
): string {
  const urls = TEXT_CHARS.map((maxChars) => toUrl(repository, issue, issueUrl, maxChars));
  return urls.find((url) => url.length <= MAX_URL_CHARS) ?? toUrl(repository, issue, issueUrl, 0);
}

function toUrl(
  repository: string,
  issue: Omit<AlertedIssue, "links">,
  issueUrl: string,
  maxChars: number,
): string {
  const { digest, place, release, count } = issue;
  const reported = joinTypeAndMessage(issue);
  const lines: readonly (readonly [label: string, text: string | undefined])[] = [
    ["", reported],
    ["Where: ", place],
    ["Release: ", release],
    ["Seen: ", count === 1 ? "once" : `${count} times`],
  ];
  const block = lines.flatMap(([label, text = ""]) => {
    const line = toInertLine(text, maxChars);
    return line === "" ? [] : label + line;
  });
  const titleText = toInertLine(reported, Math.min(maxChars, MAX_TITLE_CHARS));
  const title = `${digest} ${breakLinks(titleText.replaceAll("`", "ˋ"))}`.trim();
  const body = `${toCodeBlock(block.join("\n"))}\nErrata: ${issueUrl}`;
  const query = `title=${encode(title)}&body=${encode(body)}`;
  return `https://github.com/${repository}/issues/new?${query}`;
}

/** Also encodes characters that formats encode in URLs, so that the length stays the same. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*_~]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
