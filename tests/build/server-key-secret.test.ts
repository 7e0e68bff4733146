// `npm run deploy`: the first deployment creates the server key, and no later one replaces it.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createMissingServerKey, type RunWrangler } from "../../.tools/deploy/server-key-secret.ts";

const folder = mkdtempSync(join(tmpdir(), "errata-secret-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A wrangler whose Worker has these secrets. Records each command and the secrets that it sets. */
function createWrangler({ list = "[]", codes = {} as Record<string, number> }) {
  const commands: string[][] = [];
  const set: Record<string, string>[] = [];
  const run: RunWrangler = async (args) => {
    commands.push(args);
    const [, command = "", file = ""] = args;
    if (command === "bulk") set.push(JSON.parse(readFileSync(file, "utf8")));
    return { code: codes[command] ?? 0, output: command === "list" ? list : "" };
  };
  return { run, commands, set };
}

describe("the secret ERRATA_SERVER_KEY", () => {
  it.each(["[]", 'A notice.\n[\n  {"name":"ERRATA_KEY","type":"secret_text"}\n]\n'])(
    "is created if it is missing, and its file is removed: %s",
    async (list) => {
      const { run, set } = createWrangler({ list });
      const created = await createMissingServerKey(run, folder, []);
      expect(created).toEqual({ key: expect.stringMatching(/^errata_server_[0-9a-f]{32}$/) });
      expect(set).toEqual([{ ERRATA_SERVER_KEY: Reflect.get(Object(created), "key") }]);
      expect(existsSync(join(folder, "secrets.json"))).toBe(false);
    },
  );

  it("is not replaced if it exists", async () => {
    const { run, set } = createWrangler({ list: '[{"name":"ERRATA_SERVER_KEY"}]' });
    expect(await createMissingServerKey(run, folder, [])).toBe("exists");
    expect(set).toEqual([]);
  });

  it.each([
    ["the list is unknown", { codes: { list: 1 } }],
    ["the list is not JSON", { list: "Not signed in [1]]" }],
    ["it cannot be set", { codes: { bulk: 1 } }],
  ])("is not reported as existing if %s", async (_, wrangler) => {
    expect(await createMissingServerKey(createWrangler(wrangler).run, folder, [])).toBe("failed");
  });

  it("belongs to the deployed Worker", async () => {
    const { run, commands } = createWrangler({});
    const args = ["--env", "staging", "--minify", "--name=errata-2", "-c", "other.toml"];
    await createMissingServerKey(run, folder, args);
    const worker = ["--env", "staging", "--name=errata-2", "-c", "other.toml"];
    for (const command of commands) expect(command.slice(-5)).toEqual(worker);
    expect(commands).toHaveLength(2);
  });
});
