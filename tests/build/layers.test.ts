// The layers of src/, read from the imports: which layer may import which, and that no two folders
// import each other, types included. src/README.md draws the picture.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../src", import.meta.url));

/**
 * The imports that each layer may make besides its own: other layers, layers of which it needs the
 * types only, and packages.
 */
const LAYERS: Readonly<
  Record<
    string,
    { layers: readonly string[]; types?: readonly string[]; packages: readonly string[] }
  >
> = {
  // Only the modules that parse, which are loaded where scripts are converted and names missing.
  core: { layers: [], packages: ["acorn", "@sveltejs/acorn-typescript", "valibot"] },
  "export-format": { layers: ["ingest", "core"], packages: ["valibot"] },
  // The classes of the objects are the interface of storage: `store/remote.ts`.
  operations: { layers: ["core", "export-format"], types: ["store"], packages: ["valibot"] },
  ingest: { layers: ["core"], packages: ["@bufbuild/protobuf/wire"] },
  auth: { layers: ["core"], packages: ["jose", "@levischuck/tiny-cbor", "node:"] },
  ui: { layers: ["core"], packages: ["react"] },
  // Published, so they depend on nothing but what the application has.
  adapters: { layers: ["ingest", "auth", "client", "core"], packages: ["react", "uqr"] },
  // A program of its own, which calls Errata.
  cli: { layers: ["core"], packages: ["node:"] },
  front: { layers: ["adapters", "auth", "core"], packages: [] },
  client: { layers: ["ui", "core"], packages: ["react", "react-dom/client"] },
  render: { layers: ["ui", "core"], packages: ["react", "react-dom/server.bun", "node:"] },
  "bindings.ts": { layers: [], packages: [] },
  "config.ts": { layers: ["bindings.ts", "core"], packages: ["node:crypto"] },
  store: {
    layers: ["bindings.ts", "config.ts", "core"],
    packages: ["cloudflare:workers", "node:", "valibot"],
  },
  http: {
    layers: [
      "ingest",
      "operations",
      "export-format",
      "auth",
      "render",
      "ui",
      "bindings.ts",
      "config.ts",
      "core",
    ],
    types: ["store"],
    packages: ["hono", "react", "node:"],
  },
  "routes-by-role.ts": { layers: ["http", "core"], packages: ["hono"] },
  "app.ts": {
    layers: [
      "routes-by-role.ts",
      "http",
      "ingest",
      "render",
      "ui",
      "bindings.ts",
      "config.ts",
      "core",
    ],
    packages: ["hono"],
  },
  "open-services.ts": {
    layers: ["http", "store", "auth", "bindings.ts", "config.ts", "core"],
    packages: ["node:crypto"],
  },
  "worker.ts": {
    layers: ["open-services.ts", "app.ts", "http", "ingest", "store", "bindings.ts", "core"],
    packages: ["cloudflare:workers", "node:"],
  },
  "warm-up": { layers: [], types: ["open-services.ts", "bindings.ts"], packages: [] },
  "main.ts": {
    layers: ["worker.ts", "warm-up", "open-services.ts", "app.ts", "render"],
    packages: [],
  },
};

const STATIC_IMPORT = /^(?:import|export) (?:[^"]*? from )?"([^"]+)";$/gm;
const DYNAMIC_IMPORT = /\bimport\("(\.[^"]+)"\)/g;
/** The first line of a module that is neither an import nor a comment. */
const FIRST_STATEMENT = /^(?!import |export .* from |\} from | {2}|\/\/|\/\*| \*|$)/m;

/**
 * The table of Durable Objects imports the types of their classes, and the objects call each other
 * through it: these calls go both ways, and nothing is loaded.
 */
const OBJECT_TABLE = "store/objects.ts";
const CLASS_TYPE = /^import type \{ \w+ \} from "(\.\/\w+\/[^"]+)";$/gm;

interface Import {
  /** Path below `src/`. */
  readonly from: string;
  /** Path below `src/`, or the name of a package. */
  readonly to: string;
  /** True if only types are imported. */
  readonly isType: boolean;
}

function readImports(): Import[] {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(`${root}/${file}`, "utf8");
      const code = file === OBJECT_TABLE ? text.replace(CLASS_TYPE, "") : text;
      const head = code.slice(0, Math.max(0, code.search(FIRST_STATEMENT)));
      const found = [...head.matchAll(STATIC_IMPORT), ...code.matchAll(DYNAMIC_IMPORT)];
      return found.map(([statement, name = ""]) => {
        const isType = /^(?:import|export) type /.test(statement);
        const path = relative(root, resolve(root, dirname(file), name));
        return { from: file, to: name.startsWith(".") ? path : name, isType };
      });
    });
}

function getLayer(path: string): string {
  return path.split("/")[0] ?? "";
}

/** Every import that its layer may not make, as `from → to`. */
function findUpwardImports(imports: readonly Import[]): string[] {
  const isPackage = (name: string) => !name.includes("/src/") && !isBelowSource(name);
  return imports
    .filter(({ from, to, isType }) => {
      const rule = LAYERS[getLayer(from)];
      if (rule === undefined) return true;
      // The names of the built files, which render/ reads, and the release, which config.ts reads.
      if (to.startsWith("../dist/")) return !["render", "config.ts"].includes(getLayer(from));
      if (!isPackage(to)) {
        const allowed = [getLayer(from), ...rule.layers, ...((isType && rule.types) || [])];
        return !allowed.includes(getLayer(to));
      }
      return !rule.packages.some((name) =>
        name.endsWith(":") ? to.startsWith(name) : to === name || to.startsWith(`${name}/`),
      );
    })
    .map(({ from, to }) => `${from} → ${to}`);
}

/** The folder of a file; a file directly in `src/` is a layer of its own. */
function toFolder(file: string): string {
  return file.includes("/") ? dirname(file) : file;
}

function isBelowSource(name: string): boolean {
  return name.startsWith("../") || LAYERS[getLayer(name)] !== undefined;
}

/** Groups of folders that import each other, directly or through others. */
function findFolderCycles(imports: readonly Import[]): string[][] {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    if (!isBelowSource(to) || to.startsWith("../")) continue;
    const [a, b] = [toFolder(from), toFolder(to)];
    if (a === b) continue;
    edges.set(a, (edges.get(a) ?? new Set()).add(b));
  }
  const reach = (start: string) => {
    const seen = new Set<string>();
    const queue = [...(edges.get(start) ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(...(edges.get(next) ?? []));
    }
    return seen;
  };
  const reachable = new Map([...edges.keys()].map((folder) => [folder, reach(folder)]));
  const cycles = [...reachable].filter(([folder, seen]) => seen.has(folder));
  return cycles.map(([folder, seen]) =>
    [folder, ...[...seen].filter((other) => reachable.get(other)?.has(folder))].sort(),
  );
}

describe("the layers of src/", () => {
  const imports = readImports();

  it("import only downwards, and only the packages that their layer may use", () => {
    expect(imports.length).toBeGreaterThan(1_000);
    expect(findUpwardImports(imports)).toEqual([]);
  });

  it("parse scripts and sources in modules that no other module imports statically", () => {
    const parsing = imports.filter(({ to }) => /acorn/.test(to)).map(({ from }) => from);
    expect([...new Set(parsing)].sort()).toEqual([
      "core/symbolication/function-ranges.ts",
      "core/symbolication/names/parse-source.ts",
      "core/symbolication/names/typescript-parser.ts",
    ]);
    const corrected = imports.filter(({ to }) => to.includes("typescript-parser"));
    expect(corrected.map(({ from }) => from)).toEqual(["core/symbolication/names/parse-source.ts"]);
    const statically = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        /^(?:import|export) (?!type )[^;]*"[^"]*\/(?:function-ranges|parse-source)\.ts";$/m.test(
          readFileSync(`${root}/${file}`, "utf8"),
        ),
    );
    expect(statically).toEqual([]);
  });

  it("have no folders that import each other, types included", () => {
    expect(findFolderCycles(imports)).toEqual([]);
  });

  it("have no files that import each other, types included", () => {
    const files = imports.map((one) => ({ ...one, from: `${one.from}/x`, to: `${one.to}/x` }));
    expect(findFolderCycles(files)).toEqual([]);
  });
});
