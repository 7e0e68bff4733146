/** Uploaded source maps, and whether a script has one. */
import * as v from "valibot";
import { limits } from "../core/limits.ts";
import { fail, ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import {
  createProbe,
  type ProbedFile,
  parseProbedFile,
  readProbe,
} from "../core/symbolication/report/probe-file.ts";
import { number } from "./issue-output.ts";
import { type Call, defineOperation, defineRead } from "./operation.ts";
import { byErrata, byMember, reportedByAnyone, time } from "./provenance.ts";
import { frameResolution } from "./report-output.ts";

const READ = { role: "viewer", rate: "read", dependency: "source-maps" } as const;

/** The pending work of the object, and its KV writes. */
export const backlog = v.optional(
  v.strictObject({
    perDay: number,
    usedToday: number,
    converting: number,
    unsaved: number,
    waitMs: number,
    failedWrites: number,
  }),
);

const upload = v.strictObject({
  id: byErrata("Its SHA-1"),
  uploadedMs: time,
  release: v.optional(byMember()),
  dist: v.optional(byMember()),
  tool: v.optional(byMember()),
  state: v.picklist(["converting", "ready", "failed"]),
  problem: v.optional(byMember("Why it failed; may quote the upload")),
  files: number,
  maps: number,
  scriptsWithoutMap: number,
  storedBytes: number,
  lastUsedMs: v.optional(time),
});

const text = (about: string) =>
  v.optional(v.pipe(v.string(), v.maxLength(limits.maxStringChars), v.description(about)));

/** A script as a report would name it. */
const PROBE = {
  script: text("the URL of a script, without spaces, with a position if one is asked for"),
  release: text("a release"),
  dist: text("a dist"),
  debugId: text("a debug id"),
};

/** The script of the input; null if it is none. */
function parseScript({ script = "", release, dist, debugId }: ProbeInput): ProbedFile | null {
  return parseProbedFile(script, { release, dist, debugId });
}

type ProbeInput = v.InferOutput<v.ObjectSchema<typeof PROBE, undefined>>;

export const listSourceMaps = defineRead({
  ...READ,
  name: "sourceMaps.list",
  summary: "List the uploads of source maps, newest first, and check whether a script has a map.",
  route: "GET /source-maps",
  input: v.strictObject(PROBE),
  output: v.strictObject({
    uploads: list(upload),
    storedBytes: number,
    maxStoredBytes: number,
    failures: list(
      v.strictObject({ atMs: time, detail: byMember("What failed; may quote the upload") }),
    ),
    backlog,
    check: v.optional(
      v.strictObject({
        asked: v.strictObject({
          file: reportedByAnyone(),
          line: v.optional(number),
          column: v.optional(number),
          release: v.optional(reportedByAnyone()),
          dist: v.optional(reportedByAnyone()),
          debugId: v.optional(reportedByAnyone()),
        }),
        result: v.nullable(
          v.strictObject({ place: v.optional(frameResolution), script: frameResolution }),
        ),
      }),
    ),
  }),
  reasons: ["bad-script"],
  async load(input, call) {
    const file = parseScript(input);
    if (file === null && input.script !== undefined) return fail({ reason: "bad-script" });
    const { sourceMaps } = call.services;
    return ok({ summary: sourceMaps.summarize(), check: file && checkFile(call, file) });
  },
  async toOutput({ summary, check }) {
    const [uploads, checked] = await Promise.all([summary, check]);
    return { ...uploads, check: checked ?? undefined };
  },
});

async function checkFile({ services }: Call, file: ProbedFile) {
  const answers = await services.sourceMaps.resolveStacks(createProbe(file));
  return { asked: file, result: readProbe(file, answers) };
}

const uploadId = () => v.pipe(v.string(), v.description("the id of an upload, 40 hex characters"));

export const deleteUpload = defineOperation({
  name: "sourceMaps.delete",
  summary: "Delete an upload, and the files that no other upload has.",
  role: "owner",
  effect: "set",
  rate: "change",
  dependency: "source-maps",
  route: "DELETE /source-maps/{id}",
  input: v.strictObject({ id: uploadId() }),
  output: v.strictObject({ deleted: v.literal(true) }),
  reasons: ["unknown-upload"],
  audit: ({ id }) => ({ text: `deleted the upload ${id.slice(0, 12)} of source maps` }),
  run: async ({ id }, { services }) =>
    (await services.sourceMaps.deleteUpload(id))
      ? ok({ deleted: true as const })
      : fail({ reason: "unknown-upload" }),
});

export const getUpload = defineRead({
  ...READ,
  name: "sourceMaps.get",
  summary: "List the files of an upload.",
  route: "GET /source-maps/{id}",
  input: v.strictObject({
    id: uploadId(),
  }),
  output: v.strictObject({
    id: byErrata(),
    files: list(
      v.strictObject({
        url: byMember(),
        kind: v.picklist(["script", "map", "source"]),
        debugId: v.optional(byMember()),
        bytes: number,
        sources: v.optional(number),
        sourcesWithText: v.optional(number),
        problems: list(byMember()),
      }),
    ),
  }),
  reasons: ["unknown-upload"],
  async load({ id }, { services }) {
    const files = /^[0-9a-f]{40}$/.test(id) ? await services.sourceMaps.listFiles(id) : null;
    return files === null ? fail({ reason: "unknown-upload" }) : ok({ id, files });
  },
  toOutput: (upload) => upload,
});
