// `errata login` by the browser, against the built product: the device flow, the renewal of its
// token, and its end.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signInByLink } from "#support/accounts/sign-in-by-link.ts";
import { runCli } from "#support/cli/run-cli.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { buildCli } from "../../../.tools/build/cli.ts";
import { makeLink } from "../../../.tools/deploy/sign-in-link.ts";
import { serve } from "../../../.tools/local/serve.ts";

const home = mkdtempSync(join(tmpdir(), "errata-login-"));
const file = join(home, ".config", "errata", "config.json");
const link = makeLink(readNowMs());
let served: Awaited<ReturnType<typeof serve>>;
let cookie: string;

beforeAll(async () => {
  await buildCli();
  served = await serve({ vars: { ERRATA_SETUP: link.setup } });
  cookie = await signInByLink(link.at(served.url));
}, 60_000);

afterAll(async () => {
  await served?.stop();
  rmSync(home, { recursive: true, force: true });
});

function errata(args: readonly string[]) {
  return runCli(args, { home });
}

/** Sends the decision of the signed-in person about a code. */
function decide(userCode: string, decision: "allow" | "deny") {
  const consent = { role: "member", lowestTrust: "server", days: "90", project: "1" };
  return fetch(`${served.url}/device`, {
    method: "POST",
    headers: { cookie, origin: served.url, accept: "application/json" },
    body: new URLSearchParams({ user_code: userCode, decision, ...consent }),
  });
}

/** Runs `login`, and decides as soon as it shows its code. */
function login(decision: "allow" | "deny") {
  let decided: Promise<Response> | undefined;
  const ran = runCli(["login", served.url, "--as", "desk"], {
    home,
    onError(text) {
      const [, code] = /type the code ([A-Z]{4}-[A-Z]{4})\n/.exec(text) ?? [];
      if (code !== undefined) decided ??= decide(code, decision);
    },
  });
  return ran.then(async (result) => ({ ...result, decided: (await decided)?.status }));
}

const readSaved = () => JSON.parse(readFileSync(file, "utf8")).erratas.desk;

function expireToken(): void {
  const settings = JSON.parse(readFileSync(file, "utf8"));
  settings.erratas.desk.renewal.expiresMs = 0;
  writeFileSync(file, JSON.stringify(settings));
}

it("ends with 4 if the person denies it", async () => {
  expect(await login("deny")).toMatchObject({
    code: 4,
    out: "",
    decided: 200,
    err: expect.stringContaining("errata: The login was denied."),
  });
});

it("saves the tokens, which no output contains, and uses them until it is signed out", async () => {
  const { code, err, decided } = await login("allow");
  expect(decided).toBe(200);
  expect(err).toContain("project 1 as member. Saved as desk");
  expect(code).toBe(0);
  const first = readSaved();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(err).not.toContain(first.token);
  const whoami = await errata(["whoami", "get"]);
  expect(JSON.parse(whoami.out)).toMatchObject({
    kind: "token",
    name: expect.stringContaining("via Errata command line"),
    role: "member",
  });

  // Several programs at the same time replace an expired token once.
  expireToken();
  const runs = await Promise.all([1, 2, 3].map(() => errata(["whoami", "get"])));
  for (const run of runs) expect(run).toMatchObject({ code: 0, err: "" });
  const second = readSaved();
  expect(second.token).not.toBe(first.token);
  expect(second.renewal.expiresMs).toBeGreaterThan(readNowMs());

  const signedOut = await errata(["logout"]);
  expect(signedOut).toMatchObject({ code: 0, err: "Signed out of desk.\n" });
  const headers = { authorization: `Bearer ${second.token}` };
  const response = await fetch(`${served.url}/api/v1/whoami`, { headers });
  expect(response.status).toBe(401);
});

it("says so if the login has ended, and keeps what is saved", async () => {
  await login("allow");
  const { renewal } = readSaved();
  const fields = { client_id: "errata-cli", token: renewal.token };
  await fetch(`${served.url}/oauth/revoke`, { method: "POST", body: new URLSearchParams(fields) });
  expireToken();
  expect(await errata(["whoami", "get"])).toMatchObject({
    code: 4,
    err: `errata: The login to ${served.url} has ended. Run \`errata login ${served.url}\`.\n`,
  });
  expect(readSaved().renewal.token).toBe(renewal.token);
});
