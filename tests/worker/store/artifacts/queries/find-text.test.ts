import { afterEach, expect, it } from "vitest";
import { artifactUploads, sourceMaps } from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";

afterEach(() => emptyStore());

const TEXT = "grace@example.org";

async function upload(name: string, release: string): Promise<void> {
  const map = {
    ...{ version: 3, sources: [`${name}.ts`], names: [], mappings: "AAAA" },
    sourcesContent: [`export const ${name} = "${TEXT}";\n`],
  };
  const body = new Blob([JSON.stringify(map)]).stream();
  const facts = { name: `${name}.js.map`, url: "~/", release };
  expect(await artifactUploads.storeSingle(body, facts)).toMatchObject({ ok: true });
}

async function findReleases(): Promise<readonly (string | undefined)[]> {
  const found = new Set<string>();
  let cursor: string | undefined;
  do {
    const { uploads, next } = await sourceMaps.findText(TEXT, cursor);
    for (const id of uploads) found.add(id);
    cursor = next;
  } while (cursor !== undefined);
  const { uploads } = await sourceMaps.summarize();
  return uploads.filter(({ id }) => found.has(id)).map(({ release }) => release);
}

it("finds the uploads of applications with a text, but not the builds of Errata itself", async () => {
  await upload("sample", "errata@0.1.0+3f9c0a51b2d4");
  await upload("shop", "shop@1.0.0");
  await upload("fork", "errata@0.1.0");
  expect([...(await findReleases())].sort()).toEqual(["errata@0.1.0", "shop@1.0.0"]);
});
