/** `/settings/trackers`: the connections to trackers of a project. */
import { fail, ok } from "../../../core/result.ts";
import type { Operation } from "../../../operations/operation.ts";
import {
  checkTracker,
  listTrackers,
  removeTracker,
  rotateTrackerSecret,
  saveTracker,
  sendToTracker,
} from "../../../operations/trackers.ts";
import {
  TrackerSettingsPage,
  type TrackerSettingsProps,
} from "../../../ui/trackers/tracker-settings-page.tsx";
import { TRACKER_SETTINGS_URL } from "../../../ui/urls/tracker-urls.ts";
import type { AppContext } from "../../context.ts";
import { expected, type FormFields, type Parsed, readForm } from "../../forms/form-body.ts";
import { rerenderFormOnError } from "../../forms/form-error-page.ts";
import { type StoredFlash, toOperationFlash } from "../../forms/messages.ts";
import { readMember } from "../../forms/operation-form.ts";
import { respondWithSecret } from "../../forms/respond.ts";
import { respondWithOutput, toCall, toFailure } from "../../operation-call.ts";
import { definePage } from "../../pages/settings-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";

/** JSON: the output of `trackers.list`. */
export const trackerSettingsPage = definePage<
  TrackerSettingsProps,
  Pick<TrackerSettingsProps, "issued">
>({
  path: TRACKER_SETTINGS_URL,
  role: listTrackers.role,
  title: "Trackers",
  note: () => (
    <>
      Issues in GitHub, GitLab, Linear and Jira. See <a href="/docs/trackers">how they work</a>.
    </>
  ),
  async load(c, { issued }) {
    const read = await awaitOrNull(c, listTrackers.load({}, toCall(c)));
    return {
      trackers: read?.ok ? read.value : null,
      issued,
      origin: new URL(c.req.url).origin,
      nowMs: c.get("services").nowMs(),
    };
  },
  view: TrackerSettingsPage,
  json: (c) => respondWithOutput(c, listTrackers, {}),
  dependency: "alerts",
});

/** The operation behind each word of the field `do`. */
const ACTIONS: Readonly<Record<string, Operation>> = {
  save: saveTracker,
  remove: removeTracker,
  check: checkTracker,
  rotate: rotateTrackerSecret,
  again: sendToTracker,
};

/**
 * `POST /settings/trackers`: changes a connection. A new secret is shown once. JSON:
 * `{"secrets":[…]}`. 400 for invalid fields, 403 for non-owners, 404 for an unknown connection.
 */
export async function updateTrackers(c: AppContext): Promise<Response> {
  let changed = "";
  const perform = async () => {
    const form = await readForm(c.req.raw, "bad-settings", (fields) => readAction(fields));
    if (!form.ok) return form;
    const { operation, input } = form.value;
    const done = await operation.perform(input, toCall(c));
    if (!done.ok) return fail(toFailure(done, "bad-settings"));
    const { value, message } = done;
    changed =
      readMember(Reflect.get(value as object, "tracker"), "id") || readMember(input, "tracker");
    const secret = readMember(value, "secret");
    const flash: StoredFlash | undefined = message && toOperationFlash(message, undefined);
    return ok({
      secrets: secret === "" ? [] : [secret],
      redirectTo: TRACKER_SETTINGS_URL,
      createdId: changed,
      flash,
    });
  };
  const show = ([secret = ""]: readonly string[]) =>
    trackerSettingsPage.send(c, { issued: { tracker: changed, secret } });
  const response = await respondWithSecret(c, perform, show, "alerts");
  return rerenderFormOnError(c, response, (rejected) => trackerSettingsPage.send(c, { rejected }));
}

/** The fields besides `do` are the members of the operation's input. */
function readAction(
  fields: FormFields,
): Parsed<{ readonly operation: Operation; readonly input: Readonly<Record<string, unknown>> }> {
  const { do: word, ...input } = Object.fromEntries(fields);
  const operation =
    typeof word === "string" && Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
  if (operation === undefined)
    return expected(`do to be one of ${Object.keys(ACTIONS).join(", ")}`);
  return ok({ operation, input });
}
