/** The data of a project: the erasure of a text, and the rebuilding of the index. */
import * as v from "valibot";
import { REQUIRED_ROLES } from "../core/accounts/required-roles.ts";
import { ERASE_PROJECT_CONFIRMATION, isCommonText } from "../core/erasure.ts";
import { limits } from "../core/limits.ts";
import { fail, ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { idText, integer } from "./inputs.ts";
import { number } from "./issue-output.ts";
import { defineOperation, defineRead } from "./operation.ts";
import { byErrata, byMember } from "./provenance.ts";

const CHANGE = { role: REQUIRED_ROLES.erasure, rate: "change" } as const;

const { minErasedTextChars: min, maxErasedTextChars: max } = limits;
const startedJob = byErrata("The name of the job");
const preview = idText("the id of a preview");

export const previewErasure = defineOperation({
  ...CHANGE,
  name: "erasures.preview",
  summary: "Start to count the reports, issues and comments that contain a text.",
  effect: "add",
  route: "POST /erasures",
  input: v.strictObject({
    text: v.pipe(
      v.string(),
      v.check((text) => text === text.trim()),
      v.minLength(min),
      v.maxLength(max),
      v.description(`a text of ${min} to ${max} characters without surrounding spaces (text)`),
    ),
  }),
  output: v.strictObject({ preview: byErrata("The id of the preview"), startedJob }),
  reasons: [],
  audit: () => ({ text: "previewed the erasure of a text" }),
  async run({ text }, { services, changeId }) {
    await services.projectAdmin.previewErasure(changeId, text);
    return ok({ preview: changeId, startedJob: "preview-erasure" });
  },
});

export const getErasure = defineRead({
  name: "erasures.get",
  summary: "Read what a preview found, and how far its erasure is.",
  role: CHANGE.role,
  rate: "read",
  route: "GET /erasures/{preview}",
  input: v.strictObject({ preview }),
  output: v.strictObject({
    id: byErrata(),
    text: v.optional(byMember("Absent once it is erased")),
    found: v.optional(
      v.strictObject({
        examined: number,
        reports: number,
        issues: number,
        comments: number,
        uploads: v.optional(list(byErrata("An upload that contains the text, and stays"))),
      }),
    ),
    digests: v.optional(list(byErrata("Issues that contain the text, at most 20"))),
    erasedReports: v.optional(number),
    work: v.optional(v.strictObject({ done: number, total: number })),
  }),
  reasons: ["unknown-preview"],
  async load({ preview: id }, { services }) {
    const erasure = await services.projectAdmin.getErasure(id);
    return erasure === null ? fail({ reason: "unknown-preview" }) : ok(erasure);
  },
  toOutput: (erasure) => erasure,
});

const EXPECTED_TEXT = "the text of the preview (confirm)";
const EXPECTED_REPORTS =
  "the number of reports of the preview (reports), because the text is common";

export const startErasure = defineOperation({
  ...CHANGE,
  name: "erasures.start",
  summary: "Start to erase a previewed text from the project, with the reports that contain it.",
  effect: "erase",
  route: "POST /erasures/{preview}/start",
  input: v.strictObject({
    preview,
    confirm: v.pipe(v.string(), v.maxLength(max), v.description(EXPECTED_TEXT)),
    reports: v.optional(integer(0, Number.MAX_SAFE_INTEGER, "the number of reports found")),
  }),
  output: v.strictObject({ startedJob }),
  reasons: ["unknown-preview"],
  audit: () => ({ text: "erased a text" }),
  async run({ preview: id, confirm, reports }, { services: { projectAdmin } }) {
    const erasure = await projectAdmin.getErasure(id);
    if (erasure?.text === undefined || erasure.found === undefined)
      return fail({ reason: "unknown-preview" });
    if (confirm.toLowerCase() !== erasure.text.toLowerCase())
      return fail({ reason: "invalid-input", fields: { confirm: EXPECTED_TEXT } });
    if (isCommonText(erasure.found) && reports !== erasure.found.reports)
      return fail({ reason: "invalid-input", fields: { reports: EXPECTED_REPORTS } });
    await projectAdmin.eraseMatching(erasure.text, id);
    return ok({ startedJob: "erase-text" });
  },
});

export const eraseProjectData = defineOperation({
  ...CHANGE,
  name: "projects.eraseData",
  summary: "Start to erase all data of the project. Its settings stay.",
  effect: "erase",
  isForPeople: true,
  route: "DELETE /project/data",
  input: v.strictObject({
    confirm: v.pipe(
      v.literal(ERASE_PROJECT_CONFIRMATION),
      v.description(`the words “${ERASE_PROJECT_CONFIRMATION}” (confirm)`),
    ),
  }),
  output: v.strictObject({ startedJob }),
  reasons: [],
  audit: () => ({ text: "erased all data of the project" }),
  async run(_, { services }) {
    await services.projectAdmin.eraseProject();
    return ok({ startedJob: "erase-project" });
  },
});

export const rebuildIndex = defineOperation({
  ...CHANGE,
  name: "projects.rebuild",
  summary: "Start to rebuild the index of the project from its archive.",
  effect: "set",
  route: "POST /project/rebuild",
  input: v.strictObject({}),
  output: v.strictObject({ startedJob }),
  reasons: [],
  audit: () => ({ text: "rebuilt the index" }),
  async run(_, { services }) {
    await services.projectAdmin.rebuildIndex();
    return ok({ startedJob: "rebuild" });
  },
});
