// The package as it is published: what its modules import, what its types refer to, and the bytes
// that its parts add to a page.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { buildLibrary, libraryFolder } from "../../.tools/build/library.ts";
import { bundleReporterScript } from "../../.tools/build/reporter-script.ts";
import { root } from "../../.tools/install.mjs";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

beforeAll(async () => {
  expect(await buildLibrary()).toMatchObject({ ok: true });
}, 120_000);

const gzipBytes = (code: string | Uint8Array) => gzipSync(code, { level: 9 }).length;

/** The bytes that importing names from a module adds to a bundle, compressed. */
async function measure(module: string, names: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export ${names} from "./${module}.js";`,
      resolveDir: libraryFolder,
    },
    bundle: true,
    minify: true,
    format: "esm",
    external: ["react", "react/jsx-runtime"],
    write: false,
  });
  return gzipBytes(outputFiles[0]?.contents ?? "");
}

describe("the published package", () => {
  it("has no runtime dependencies, and no packages that an application must have", () => {
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).not.toHaveProperty("optionalDependencies");
    const optional = Object.keys(manifest.peerDependenciesMeta);
    expect(Object.keys(manifest.peerDependencies)).toEqual(optional);
  });

  it("has modules that import each other and React alone", () => {
    const files = globSync("*.js", { cwd: libraryFolder });
    const imported = files.flatMap((file) => {
      const text = readFileSync(join(libraryFolder, file), "utf8");
      return [...text.matchAll(/(?:from |import\(|^import )"([^"]+)"/gm)].map(([, name]) => name);
    });
    expect(files.length).toBeGreaterThan(5);
    expect(imported.filter((name) => !/^(?:\.\/|react$|react\/)/.test(name ?? ""))).toEqual([]);
  });

  it("has types that refer to each other and React alone", () => {
    const files = globSync("*.d.ts", { cwd: libraryFolder });
    const names = files.flatMap((file) => {
      const text = readFileSync(join(libraryFolder, file), "utf8");
      return [...text.matchAll(/(?:from |import\()"([^"]+)"/g)].map(([, name]) => name ?? "");
    });
    const known = new Set(["react", ...files.map((file) => `./${file.replace(".d.ts", ".js")}`)]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it.each([
    ["react", "Notice", 1_696],
    ["notice", "createNoticeHtml", 1_536],
  ])("adds few bytes for a notice of errata/%s", async (module, name, maxBytes) => {
    expect(await measure(module, `{ ${name} }`)).toBeLessThanOrEqual(maxBytes);
  });

  it("adds at most 2,048 bytes for the whole of errata/browser", async () => {
    expect(await measure("browser", "*")).toBeLessThanOrEqual(2_048);
  });

  it("adds at most 1,100 bytes for errata/vitals, which errata/browser does not contain", async () => {
    expect(await measure("vitals", "*")).toBeLessThanOrEqual(1_100);
    expect(readFileSync(join(libraryFolder, "browser.js"), "utf8")).not.toContain("layout-shift");
  });
});

describe("the script of the browser reporter", () => {
  it("takes at most 2,048 bytes", async () => {
    expect(gzipBytes((await bundleReporterScript()).code)).toBeLessThanOrEqual(2_048);
  });
});
