/** A clean checkout of Errata with its packages installed, for `npm run deploy`. */
import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../../.tools/install.mjs";

/** A checkout that is built. `close` removes it. */
export async function createCheckout() {
  const folder = mkdtempSync(join(tmpdir(), "errata-checkout-"));
  const files = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  for (const file of files.split("\0")) {
    if (file === "" || file.startsWith("tests/")) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const wrangler = join(root, "node_modules", "wrangler", "bin", "wrangler.js");
  const words = ["deploy", "--dry-run", "--outdir", "dist/worker"];
  await promisify(execFile)(process.execPath, [wrangler, ...words], { cwd: folder });
  cpSync(join(folder, "dist/worker/worker.js"), join(folder, "dist/built/worker.js"));
  const config = join(folder, "wrangler.toml");
  const given = readFileSync(config, "utf8");
  return {
    folder,
    /** Writes wrangler.toml: by default the original one. `isBuilt` skips the build. */
    configure: ({ top = "", bottom = "", isBuilt = false } = {}) => {
      const text = isBuilt
        ? given
            .replace(/^command = .*/m, 'command = "node -v"')
            .replace(/^main = .*/m, 'main = "dist/built/worker.js"')
        : given;
      writeFileSync(config, `${top}\n${text}\n${bottom}\n`);
    },
    /** Replaces a text of a source once. Returns a function that undoes it. */
    edit: (path: string, before: string, after: string) => {
      const file = join(folder, path);
      const text = readFileSync(file, "utf8");
      if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
      writeFileSync(
        file,
        text.replace(before, () => after),
      );
      return () => writeFileSync(file, text);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type Checkout = Awaited<ReturnType<typeof createCheckout>>;
