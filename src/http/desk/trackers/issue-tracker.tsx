/** `/d/<digest>/tracker`: creates an issue in a tracker, or links one. */
import { parseDigest } from "../../../core/grouping/parse-digest.ts";
import { ok } from "../../../core/result.ts";
import { toTrackerDraft } from "../../../core/trackers/draft.ts";
import { toShownMarkdown } from "../../../core/trackers/tracker-text.ts";
import type { Operation } from "../../../operations/operation.ts";
import {
  createTrackerIssue,
  linkTracker,
  previewTrackerIssue,
  unlinkTracker,
} from "../../../operations/trackers.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { IssueTrackerPage } from "../../../ui/trackers/issue-tracker-page.tsx";
import { toIssueUrl } from "../../../ui/urls/issue-urls.ts";
import { toIssueTrackerUrl } from "../../../ui/urls/tracker-urls.ts";
import type { AppContext } from "../../context.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import { expected } from "../../forms/form-body.ts";
import type { OperationForm } from "../../forms/operation-form.ts";
import { toCall, toReadFailureResponse } from "../../operation-call.ts";
import { toProjectUrl } from "../../project-url.ts";
import { awaitOrNull } from "../../unavailable.ts";

const ROUTE = "/d/:digest/tracker";

/** Serves the page with the text that a new issue would have. 404 for an unknown issue. */
export async function serveIssueTracker(c: AppContext): Promise<Response> {
  const { alerts } = c.get("services");
  const trackers = awaitOrNull(c, alerts.listTrackers());
  const loaded = await previewTrackerIssue.load({ digest: c.req.param("digest") ?? "" }, toCall(c));
  if (!loaded.ok) return toReadFailureResponse(loaded);
  const issue = loaded.value;
  const { digest } = issue;
  const url = new URL(toProjectUrl(c, toIssueUrl(digest)), c.req.url).href;
  const draft = toTrackerDraft(issue, url, "");
  const known = await trackers;
  return sendPageWithFlash(c, (flash) => ({
    title: `Tracker of ${digest}`,
    route: ROUTE,
    content: (
      <Layout current="issues" isSignedIn flash={flash}>
        <IssueTrackerPage
          digest={digest}
          tracker={issue.tracker}
          trackers={known}
          draft={{ title: draft.title, body: toShownMarkdown(draft) }}
        />
      </Layout>
    ),
  }));
}

const ACTIONS: Readonly<Record<string, Operation>> = {
  create: createTrackerIssue,
  link: linkTracker,
  unlink: unlinkTracker,
};

/** Takes `do`, with `tracker` to create an issue, or `url` to link one. */
export const issueTrackerForm: OperationForm = {
  path: ROUTE,
  operations: [createTrackerIssue, linkTracker, unlinkTracker],
  rejection: "bad-link",
  read(fields, c) {
    const { do: word, ...input } = Object.fromEntries(fields);
    const operation =
      typeof word === "string" && Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
    return operation === undefined
      ? expected(`do to be one of ${Object.keys(ACTIONS).join(", ")}`)
      : ok({ operation, input: { ...input, digest: readDigest(c) } });
  },
  redirectTo: (c, { operation }) =>
    operation === unlinkTracker ? toIssueTrackerUrl(readDigest(c)) : toIssueUrl(readDigest(c)),
  formPath: (c) => toIssueTrackerUrl(readDigest(c)),
};

/** The digest in the path, which `submitForm` has checked. */
function readDigest(c: AppContext): string {
  const digest = parseDigest(c.req.param("digest") ?? "");
  return digest.ok ? digest.value : "";
}
