/** The stack of a report in the original source, and what the program of `programs/till` throws. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { Report } from "../../../src/core/report.ts";
import type { FrameResolution } from "../../../src/core/symbolication/resolution.ts";
import type { Errata } from "../errata.ts";

const programs = new URL("../programs/till/", import.meta.url);

/** A report as the JSON of an issue has it. */
interface ReportWithFrames extends Report {
  readonly resolvedFrames?: readonly FrameResolution[];
}

/** An upload token, made as an owner makes it in the settings. */
export async function createUploadToken(errata: Errata): Promise<string> {
  const body = JSON.stringify({ do: "add-token", name: "build", role: "uploader" });
  const headers = { "content-type": "application/json", accept: "application/json" };
  const url = `${toLocalhost(errata.url)}/settings`;
  const { secrets } = await (await fetch(url, { method: "POST", headers, body })).json();
  return secrets[0];
}

/** The address by the name of the host. */
export function toLocalhost(url: string): string {
  return url.replace("127.0.0.1", "localhost");
}

/** The line of a text in a source, 1-based, and the line itself. */
export function locate(text: string, source = readFileSync(new URL("money.ts", programs), "utf8")) {
  const lines = source.split("\n");
  const index = lines.findIndex((line) => line.includes(text));
  return { line: index + 1, source: lines[index], column: (lines[index]?.indexOf(text) ?? 0) + 1 };
}

/** The frames of a report in the original source; those without one as they were sent. */
export function readOriginalFrames(report: Report): readonly object[] {
  const { resolvedFrames = [] } = report as ReportWithFrames;
  return report.frames.map((frame, n) => {
    const resolution = resolvedFrames[n];
    return resolution?.kind === "resolved" ? resolution : { ...frame, ...resolution };
  });
}

/** The frames of the till's error in the original source, newest first. */
export function expectOriginalStack(frames: readonly object[], entry = /(^|\/)main\.ts$/): void {
  const thrown = locate("reduce((sum, { price, count })");
  const caller = locate("totalOf(cart), 0)");
  const [first, ...others] = frames;
  expect(first).toMatchObject({
    file: expect.stringMatching(/(^|\/)money\.ts$/),
    function: expect.stringMatching(/totalOf/),
    line: thrown.line,
    column: thrown.column,
    source: thrown.source,
    inApp: true,
  });
  expect(others).toContainEqual(
    expect.objectContaining({ function: "Till.totalOfCarts", source: caller.source }),
  );
  expect(others).toContainEqual(
    expect.objectContaining({
      file: expect.stringMatching(entry),
      function: expect.stringMatching(/openTill/),
    }),
  );
}
