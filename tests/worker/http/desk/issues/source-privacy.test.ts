/** Lines of uploaded source: who gets them, of a real map and a real report. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMembers, ORIGIN, type Proof } from "#support/accounts/members.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { createThrowingFrame, uploadBuild } from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log } from "#support/store/store.ts";

const DIGEST = "7F3K-Q2M9";
const RELEASE = "shop@1.4.0";
const LINE = "export function fail()";
const CHECK = new URLSearchParams({ script: "https://shop.example/assets/cart.js:1:13" });

let services = {};
const proofs: Record<string, Proof> = {};

beforeAll(async () => {
  const members = await createMembers();
  services = members.services;
  await members.change(members.deployer, { do: "create-project", name: "Web Shop" });
  Object.assign(proofs, {
    "no token": {},
    "a viewer": (await members.invite("viewer")).proof,
    "an owner's token": (await members.token("owner")).proof,
    "a viewer of another project": (await members.invite("viewer", "2")).proof,
    "an owner's token of another project": (await members.token("owner", "2")).proof,
    "an upload token": (await members.token("uploader")).proof,
  });
  await uploadBuild("cart", {
    release: RELEASE,
  });
  await log.append([
    createReport(1, {
      release: RELEASE,
      frames: [{ ...createThrowingFrame("cart"), inApp: true }],
    }),
  ]);
});
afterAll(() => emptyStore());

async function read(who: string, path: string): Promise<string> {
  const headers = { accept: path.includes(".") ? "*/*" : "text/html", ...proofs[who] };
  return (await visit(path, { origin: ORIGIN, redirect: "manual", services, headers })).body;
}

const PAGES = [`/d/${DIGEST}`, `/d/${DIGEST}.json`, `/d/${DIGEST}.md`];
const OTHERS = ["/issues", "/live", "/export", `/e/${DIGEST}`, `/e/${DIGEST}.json`];
const CHECKS = [`/source-maps?${CHECK}`, `/source-maps.json?${CHECK}`];

describe("a line of source", () => {
  it.each(PAGES)("is for members in %s", async (path) => {
    for (const who of ["a viewer", "an owner's token"])
      expect([who, (await read(who, path)).replace(/<[^>]*>/g, "")]).toEqual([
        who,
        expect.stringContaining(LINE),
      ]);
  });

  it.each([...PAGES, ...CHECKS, ...OTHERS])("is not for others in %s", async (path) => {
    const strangers = Object.keys(proofs).filter(
      (who) => !/^a viewer$|^an owner's token$/.test(who),
    );
    expect(strangers).toHaveLength(4);
    for (const who of strangers)
      for (const one of [path, `/p/2${path}`]) expect(await read(who, one)).not.toContain(LINE);
  });

  it.each(OTHERS)("is not in %s for members either", async (path) => {
    for (const who of ["a viewer", "an owner's token"])
      expect(await read(who, path)).not.toContain(LINE);
  });
});
