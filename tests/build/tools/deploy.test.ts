/** What `npm run deploy` reads: the command line, wrangler's output and configuration. */
import { describe, expect, it } from "vitest";
import { parseDeployArguments } from "../../../.tools/deploy/arguments.ts";
import { findOrigin, parsePrintedTargets } from "../../../.tools/deploy/find-origin.ts";
import { addNamespaceId } from "../../../.tools/deploy/left-namespace.ts";
import { parseEvents } from "../../../.tools/deploy/wrangler.ts";

describe("the origin of Errata's pages", () => {
  const WORKERS_DEV = "https://errata.team.workers.dev";
  it.each<[string, string[], string | undefined]>([
    ["workers.dev", [WORKERS_DEV, "schedule: */5 * * * *"], WORKERS_DEV],
    [
      "a custom domain before workers.dev",
      [WORKERS_DEV, "errata.example.com (custom domain)"],
      "https://errata.example.com",
    ],
    [
      "a custom domain with its zone",
      ["errata.example.com (custom domain - zone name: example.com) [previews: enabled]"],
      "https://errata.example.com",
    ],
    [
      "workers.dev if the custom domain is disabled",
      ["errata.example.com (custom domain) [production: disabled]", WORKERS_DEV],
      WORKERS_DEV,
    ],
    [
      "a route for all paths of a host",
      ["errata.example.com/* (zone name: example.com)"],
      "https://errata.example.com",
    ],
    ["a route with a scheme", ["https://errata.example.com/*"], "https://errata.example.com"],
    ["no path of a site", ["app.example.com/monitoring (zone name: example.com)"], undefined],
    ["no paths of a site", ["app.example.com/monitoring/* (zone id: 0123)"], undefined],
    ["no route for many hosts", ["*.example.com/* (zone name: example.com)"], undefined],
    ["no route for many hosts without a dot", ["*example.com/*"], undefined],
    ["no route without a path", ["example.com (zone name: example.com)"], undefined],
    ["nothing without targets", [], undefined],
    ["nothing of a queue or schedule", ["Consumer for reports", "schedule: 0 0 * * *"], undefined],
  ])("is that of %s", (_, targets, origin) => {
    expect(findOrigin(targets)).toBe(origin);
  });

  it("is also found in what `wrangler triggers deploy` prints", () => {
    const text = "Deployed errata triggers (0.03 sec)\n  https://errata.team.workers.dev\nDone\n";
    expect(findOrigin(parsePrintedTargets(text))).toBe(WORKERS_DEV);
  });
});

describe("the command line", () => {
  const parse = (args: string[], env: NodeJS.ProcessEnv = {}, isTerminal = false) =>
    parseDeployArguments(args, env, isTerminal);

  it("selects the same Worker and account in each command of wrangler", () => {
    const target = ["--env", "staging", "--name=errata-2", "-c", "other.toml", "--profile", "work"];
    const { args, ...request } = parse(["--minify", ...target, "--var", "A:b"]);
    expect(request).toMatchObject({
      target,
      name: "errata-2",
      env: "staging",
      config: "other.toml",
    });
    expect(args.slice(-2)).toEqual(["--var", "A:b"]);
  });

  it("gets a folder for the bundle, unless it names one", () => {
    expect(parse([]).args[0]).toBe("--outdir");
    expect(parse(["--outdir", "x"])).toMatchObject({ args: ["--outdir", "x"], outdir: "x" });
  });

  it.each<[string, string[], NodeJS.ProcessEnv, boolean, boolean]>([
    ["a terminal", [], {}, true, true],
    ["a pipe", [], {}, false, false],
    ["a CI with a terminal", [], { CI: "true" }, true, false],
    ["a CI that asks for it", ["--print-link"], { CI: "true" }, false, true],
    ["Cloudflare's own CI", [], { CI: "true", WORKERS_CI: "1" }, false, true],
  ])("may have secrets in its output: %s", (_, args, env, isTerminal, mayPrintSecrets) => {
    const request = parse(args, env, isTerminal);
    expect(request.mayPrintSecrets).toBe(mayPrintSecrets);
    expect(request.args).not.toContain("--print-link");
  });

  it.each([
    [["--dry-run"], false],
    [["--help"], false],
    [["--var", "A:--dry-run"], true],
    [[], true],
  ])("%j deploys: %s", (args, isDeployment) => {
    expect(parse(args).isDeployment).toBe(isDeployment);
  });
});

describe("wrangler's output file", () => {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  it.each([
    [
      "a deployment",
      { type: "deploy", version_id: "v", worker_name: "errata", targets: ["a"] },
      { targets: ["a"] },
    ],
    [
      "a deployment that was refused",
      { type: "deploy", version_id: null, worker_name: "errata" },
      {},
    ],
    [
      "a failure",
      { type: "command-failed", code: 10014, message: "exists" },
      { failure: { code: 10014, message: "exists" } },
    ],
    [
      "a failure without a code",
      { type: "command-failed", message: "no" },
      { failure: { message: "no" } },
    ],
  ])("tells %s", (_, event, expected) => {
    const text = `${line({ type: "wrangler-session", version: 1 })}${line(event)}`;
    expect(parseEvents(text)).toEqual(expected);
  });

  it("may be cut off", () => {
    expect(parseEvents('{"type":"wrangler-session"}\n{"type":"dep')).toEqual({});
  });
});

it.each([
  ['[[kv_namespaces]]\nbinding = "KV"\n', '[[kv_namespaces]]\nbinding = "KV"\nid = "0f"\n'],
  ["[[kv_namespaces]]\nbinding = 'KV'\n", "[[kv_namespaces]]\nbinding = 'KV'\nid = \"0f\"\n"],
  ['kv_namespaces = [{ binding = "KV" }]', 'kv_namespaces = [{ binding = "KV", id = "0f" }]'],
  ['{"kv_namespaces":[{"binding":"KV"}]}', '{"kv_namespaces":[{"binding":"KV", "id": "0f"}]}'],
  ['[[kv_namespaces]]\nbinding = "KV_2"\n', '[[kv_namespaces]]\nbinding = "KV_2"\n'],
  ['[[a]]\nbinding = "KV"\nid = "1"\n[b]\n', '[[a]]\nbinding = "KV"\nid = "1"\n[b]\n'],
  ['{"a":[{"id":"1","binding":"KV"}]}', '{"a":[{"id":"1","binding":"KV"}]}'],
])("the id of a namespace is added to the configuration: %j", (config, expected) => {
  expect(addNamespaceId(config, "0f")).toBe(expected);
});
