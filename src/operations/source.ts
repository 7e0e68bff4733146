/** The source around a frame of a report, as uploaded source maps have it. */
import * as v from "valibot";
import { limits } from "../core/limits.ts";
import { fail, ok } from "../core/result.ts";
import { createResolveRequest } from "../core/symbolication/report/resolve-request.ts";
import type { FrameResolution } from "../core/symbolication/resolution.ts";
import { digestText, integer } from "./inputs.ts";
import { number } from "./issue-output.ts";
import { findReport } from "./issue-reads.ts";
import { defineRead } from "./operation.ts";
import { byErrata } from "./provenance.ts";
import { frameResolution } from "./report-output.ts";

export const getSource = defineRead({
  name: "reports.source",
  summary: "Read the source around one frame of a report, from the uploaded source maps.",
  role: "viewer",
  rate: "read",
  dependency: "source-maps",
  route: "GET /issues/{digest}/reports/{report}/source",
  input: v.strictObject({
    digest: digestText(),
    report: v.pipe(v.string(), v.description("the id of a report")),
    error: v.optional(
      integer(0, limits.maxCauses, "the error: 0 for the report's own, n for its nth cause"),
      0,
    ),
    frame: v.optional(
      integer(0, limits.maxFrames - 1, "the position of the frame, 0 for the one that threw"),
      0,
    ),
    lines: v.optional(
      integer(1, limits.maxReadSourceLines, "lines before and after the line of the frame"),
      20,
    ),
  }),
  output: v.strictObject({
    report: byErrata("The id of the report"),
    error: number,
    frame: number,
    source: v.nullable(frameResolution),
  }),
  reasons: ["unknown-digest", "unknown-report"],
  async load({ digest, report: id, error, frame, lines }, { services }) {
    const { projectStore, sourceMaps } = services;
    const issue = await projectStore.getFreshIssue(digest);
    if (issue === null) return fail({ reason: "unknown-digest" });
    const report = await findReport(projectStore, issue, id);
    if (report === null) return fail({ reason: "unknown-report" });
    const request = createResolveRequest(report);
    const asked = request?.stacks[error]?.[frame];
    let source: FrameResolution | undefined;
    // The components of React are a stack too, but no error.
    if (request !== null && asked !== undefined && error <= (report.causes?.length ?? 0)) {
      const stacks = [request.stacks[error]?.slice(0, frame + 1) ?? []];
      const origins = request.origins?.slice(error, error + 1);
      const answers = await sourceMaps.resolveStacks({
        ...request,
        stacks,
        origins,
        sourceLines: lines,
      });
      source = answers[0]?.[frame];
    }
    return ok({ report: report.id, error, frame, source: source ?? null });
  },
  toOutput: (loaded) => loaded,
});
