import { afterEach, describe, expect, it } from "vitest";
import { parseFrames } from "#src/core/report/stacks/javascript-stack.ts";
import type { Json } from "#src/core/report.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { uploadFiles } from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";

interface Build {
  readonly release: string;
  readonly files: readonly { readonly path: string; readonly url: string; readonly map: string }[];
  readonly errors: readonly {
    readonly place: string;
    readonly stack: string;
    readonly event: { readonly debug_meta?: Json };
    readonly frames: readonly {
      readonly original?: {
        readonly file: string;
        readonly line: number;
        readonly functions: readonly string[];
        readonly contextLine: string;
      } | null;
    }[];
  }[];
}

const cases = import.meta.glob<Build>("../../../../fixtures/source-maps/*/case.json", {
  eager: true,
  import: "default",
});
const texts = import.meta.glob<string>("../../../../fixtures/source-maps/*/dist/**", {
  eager: true,
  query: "?raw",
  import: "default",
});
const builds = Object.entries(cases).map(([path, build]) => ({
  name: path.split("/").at(-2) ?? "",
  folder: path.replace("case.json", ""),
  build,
}));

/** Uploads the scripts of a build with their maps, as sentry-cli does. */
async function uploadBuild({ build, folder }: (typeof builds)[number]): Promise<void> {
  const files = build.files.flatMap(({ path, url, map }) => {
    const place = url.replace(/^https?:\/\/[^/]+/, "~").replace(/^(?!~)/, "~/");
    const mapUrl = place.replace(/[^/]*$/, map.replace(/^.*\//, ""));
    return [
      {
        url: place,
        type: "minified_source" as const,
        text: texts[folder + path] ?? "",
        headers: { sourcemap: map.replace(/^.*\//, "") },
      },
      { url: mapUrl, type: "source_map" as const, text: texts[folder + map] ?? "" },
    ];
  });
  const { state } = await uploadFiles(files, { release: build.release });
  expect(state).toBe("ok");
}

describe.each(builds)("the build $name", (one) => {
  it.each(one.build.errors)("shows the stack of $place in its sources", async (error) => {
    await uploadBuild(one);
    const frames = parseFrames(error.stack);
    const debugMeta = error.event.debug_meta;
    const detail = debugMeta === undefined ? {} : { detail: { debug_meta: debugMeta } };
    await log.append([createReport(1, { frames, release: one.build.release, ...detail })]);
    const { body } = await visit(`/d/${DIGEST}.json`);
    const [report] = JSON.parse(body).reports;
    expect(report.symbolication).toBe("resolved");
    for (const [n, { original }] of error.frames.entries()) {
      const resolved = report.resolvedFrames[n];
      if (!original) {
        expect(resolved.kind).toBe("unmapped");
        continue;
      }
      const { file, line, functions, contextLine } = original;
      expect(resolved).toMatchObject({ kind: "resolved", line, source: contextLine });
      expect(file.endsWith(resolved.file.replace(/^.*\//, ""))).toBe(true);
      expect(functions).toContain(resolved.function ?? "<anonymous>");
    }
    const page = await visit(`/d/${DIGEST}`);
    expect(page.body).toContain('aria-current="true">Original</a>');
  });
});

it("a stack is readable by maps that were uploaded after it, and minified without them", async () => {
  const [one] = builds.filter(({ name }) => name === "vite-react");
  const [error] = one?.build.errors ?? [];
  if (one === undefined || error === undefined) throw new Error("The fixture is missing.");
  const frames = parseFrames(error.stack);
  await log.append([createReport(1, { frames, release: one.build.release })]);
  expect((await visit(`/d/${DIGEST}`)).body).toContain(
    `nothing was uploaded for release ${one.build.release}`,
  );
  await uploadBuild(one);
  expect((await visit(`/d/${DIGEST}`)).body).toContain("Money.parse");
  const { uploads } = JSON.parse((await visit("/source-maps.json")).body);
  const { response } = await visit(`/source-maps/${uploads[0].id}/delete`, {
    method: "POST",
    headers: { origin: "http://localhost:8787", "sec-fetch-site": "same-origin" },
  });
  expect(response.status).toBe(303);
  expect((await visit(`/d/${DIGEST}`)).body).not.toContain("Money.parse");
});
