// The stacks of real builds against their expected frames.

import { describe, expect, it } from "vitest";
import { decodeText } from "#src/core/decode/parse-json.ts";
import { concat, toByteRange } from "#src/core/symbolication/codec.ts";
import { openCompactMap } from "#src/core/symbolication/compact-map.ts";
import { convertMap } from "#src/core/symbolication/convert-map.ts";
import { parseFunctions } from "#src/core/symbolication/function-ranges.ts";
import { nameFunctions } from "#src/core/symbolication/names/parse-source.ts";
import { createFunctionReader } from "#src/core/symbolication/parse-functions.ts";
import { type FoundMap, resolveStack } from "#src/core/symbolication/resolve-stack.ts";
import {
  type BuildCase,
  buildCases,
  readBuildFile,
  zlibCodec,
} from "#support/source-maps/source-map-fixtures.ts";

function openMaps(build: BuildCase, withScripts: boolean): ReadonlyMap<string, FoundMap> {
  return new Map(
    build.files.map(({ path, url, map }) => {
      const script = decodeText(readBuildFile(build.name, path));
      const functions = withScripts ? parseFunctions(script) : null;
      const converted = convertMap(readBuildFile(build.name, map), functions, zlibCodec);
      if (!converted.ok) throw new Error(converted.detail);
      const opened = openCompactMap(toByteRange(concat(converted.value.parts)), zlibCodec);
      if (opened === null) throw new Error("The compact form cannot be opened.");
      const readFunctions = createFunctionReader(opened, nameFunctions);
      return [url, { map: opened, readFunctions, matchedBy: "debug-id" }];
    }),
  );
}

interface Tally {
  frames: number;
  lines: number;
  columns: number;
  contexts: number;
  functions: number;
  readonly absent: string[];
  readonly wrong: string[];
}

function resolveBuild(build: BuildCase, withScripts: boolean, tally: Tally): void {
  const maps = openMaps(build, withScripts);
  for (const { frames } of build.errors) {
    const sent = frames.map(({ raw, url, line, column }) => {
      const name = /^at (?:async )?(.+) \(/.exec(raw)?.[1];
      return {
        ...(url !== undefined && { file: url }),
        ...(line !== undefined && { line }),
        ...(column !== undefined && { column }),
        ...(name !== undefined && { function: name }),
      };
    });
    const found = sent.map(
      ({ file }): FoundMap =>
        maps.get(file ?? "") ?? {
          kind: "unmapped",
          reason: file ? "nothing-uploaded" : "not-expected",
        },
    );
    const resolved = resolveStack(sent, found);
    for (const [index, { raw, original, inApp }] of frames.entries()) {
      const frame = resolved[index];
      if (!original) {
        expect(frame).toEqual(found[index]);
        continue;
      }
      if (frame?.kind !== "resolved") throw new Error(`${build.name}: ${raw} is unmapped.`);
      tally.frames++;
      expect(frame.inApp).toBe(inApp);
      expect(frame.mapSource).toBe(original.source);
      expect(frame.file).toBe(original.file);
      if (frame.line === original.line) tally.lines++;
      if (original.columns.includes(frame.column)) tally.columns++;
      if (frame.source === original.contextLine) tally.contexts++;
      if (frame.function === undefined) tally.absent.push(`${raw}: ${original.functions[0]}`);
      else if (original.functions.includes(frame.function)) tally.functions++;
      else tally.wrong.push(`${raw}: ${frame.function} for ${original.functions[0]}`);
    }
  }
}

function resolveAll(withScripts: boolean): Tally {
  const tally = {
    frames: 0,
    lines: 0,
    columns: 0,
    contexts: 0,
    functions: 0,
    absent: [],
    wrong: [],
  };
  for (const build of buildCases) resolveBuild(build, withScripts, tally);
  return tally;
}

describe("the application frames of real builds", () => {
  it.each([true, false])("are all correct, with the script: %s", (withScripts) => {
    expect(resolveAll(withScripts)).toEqual({
      frames: 56,
      lines: 56,
      columns: 56,
      contexts: 56,
      functions: 56,
      absent: [],
      wrong: [],
    });
  });
});
