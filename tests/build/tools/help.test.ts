import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Record<string, string>;
};
/** The scripts that pass their options on to another command. */
const PASSED_ON = ["dev", "deploy:dry", "fix"];
/** They pass on unknown options, or first read the time, or first install packages. */
const PARTLY_PASSED_ON = ["deploy", "test:clock", "test:clients"];
/** npm runs it before it packs. */
const HOOK = "prepack";
const names = Object.keys(scripts).filter((name) => ![...PASSED_ON, HOOK].includes(name));

const run = (...args: string[]) =>
  spawnSync(process.execPath, [".tools/run.mjs", ...args], { encoding: "utf8", timeout: 60_000 });

describe("a script of package.json", () => {
  it.each(names)("prints its help: %s", (name) => {
    const { status, stdout, stderr } = run(name, "--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.length).toBeGreaterThan(40);
    expect(stdout).toContain("npm ");
    expect(stdout).not.toMatch(/^\/\/|^import /m);
  });

  it.each(names.filter((name) => !PARTLY_PASSED_ON.includes(name)))(
    "says that it does not know an option, without a stack: %s",
    (name) => {
      const { status, stdout, stderr } = run(name, "--no-such-option");
      expect(status).toBe(1);
      expect(stdout).toBe("");
      expect(stderr).toContain("Unknown option '--no-such-option'");
      expect(stderr).toContain("--help");
      expect(stderr).not.toMatch(/^\s+at /m);
    },
  );
});
