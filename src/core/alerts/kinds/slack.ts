/** Slack, and Mattermost, which reads the same webhooks but shows only their text, as Markdown. */
import { toSlackBody } from "../formats/slack-body.ts";
import { createUrlKind } from "./kind.ts";

const SLACK_HOST = /(?:^|\.)slack(?:-gov)?\.com$/;

export const slack = createUrlKind("slack", (url, message) => {
  const isMarkdown = !SLACK_HOST.test(URL.parse(url)?.hostname ?? "");
  return { url, body: toSlackBody(message, isMarkdown) };
});
