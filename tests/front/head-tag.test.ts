import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTag, findTagPlace, MAX_HELD_BYTES } from "#src/front/head-tag.ts";
import { CORPUS_PAGES, findMark, toBytes } from "#support/front/pages.ts";

const OPTIONS = { isEnd: false, isCharsetUnnamed: false, isEncoded: false, tagBytes: 150 };
const pages = CORPUS_PAGES.filter(({ name }) => name !== "a page that has the tag");

describe("the place of the tag", () => {
  it.each(pages)("is in front of everything that runs: $name", ({ page, type = "charset" }) => {
    const isCharsetUnnamed = !type.includes("charset");
    const place = findTagPlace(toBytes(page), { ...OPTIONS, isEnd: true, isCharsetUnnamed });
    const at = findMark(page);
    expect(place).toEqual(at === undefined ? "none" : { at });
  });

  it.each(pages)(
    "is the same wherever the bytes are split: $name",
    ({ page, type = "charset" }) => {
      const bytes = toBytes(page).subarray(0, 3_000);
      const isWhole = bytes.length === toBytes(page).length;
      const options = { ...OPTIONS, isCharsetUnnamed: !type.includes("charset") };
      const final = findTagPlace(bytes, { ...options, isEnd: isWhole });
      for (let end = 0; end < bytes.length; end++) {
        const place = findTagPlace(bytes.subarray(0, end), options);
        if (place !== "more") expect(place, `after ${end} bytes`).toEqual(final);
      }
    },
  );

  it("is none if it is not among the first 16 KB, which are held no longer", () => {
    const page = Buffer.from(`<!--${"x".repeat(MAX_HELD_BYTES)}--><head>`);
    expect(findTagPlace(page.subarray(0, MAX_HELD_BYTES - 1), OPTIONS)).toBe("more");
    expect(findTagPlace(page, OPTIONS)).toBe("none");
  });

  it("is none in bytes that are declared as compressed and do not begin as a document", () => {
    const find = (page: string) =>
      findTagPlace(toBytes(page), { ...OPTIONS, isEncoded: true, isEnd: true });
    expect(find("<p>x</p>")).toBe("none");
    expect(find("\x1f\x8b\x08\0")).toBe("none");
    expect(find("<\xe9p\x91>")).toBe("none");
    expect(find("<!-- x --><p>x</p>")).toEqual({ at: 10 });
    expect(find("<!doctype html><p>")).toEqual({ at: 15 });
  });

  it("is in the page or none, for any bytes", () => {
    const pieces = fc.constantFrom(
      ...["<", ">", "!", "--", "!doctype html", "html", "head", "/", '"', "'", "=", " ", "é", "?"],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (list) => {
        const bytes = Buffer.from(list.join(""));
        const place = findTagPlace(bytes, { ...OPTIONS, isEnd: true });
        if (place === "none") return;
        expect(place).not.toBe("more");
        if (place !== "more") expect(place.at).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});

describe("the tag", () => {
  it("is a script that runs at once, and says what it reports with", () => {
    const tag = createTag({ src: "/monitoring/errata.js?v=1", token: "abc", release: "shop@3" });
    expect(tag).toBe(
      '<script data-cfasync="false" src="/monitoring/errata.js?v=1" data-token="abc" data-release="shop@3" data-errata></script>',
    );
    expect(createTag({ src: "/e.js", sample: 0.1, fetches: true })).toContain(
      ' data-sample="0.1" data-fetches="true"',
    );
    expect(createTag({ src: "/e.js", sample: 0 })).toContain(' data-sample="0"');
  });

  it("has the nonce and the hash that a policy asks for", () => {
    const tag = createTag({ src: "/e.js", nonce: "r4nd0m", integrity: "sha256-abc=" });
    expect(tag).toContain('nonce="r4nd0m" integrity="sha256-abc=" crossorigin="anonymous"');
  });

  it("is ASCII, and its values end no attribute", () => {
    const tag = createTag({ src: "/e.js", release: '1"><script>é&\u{1f600}' });
    expect(tag).toMatch(/^[ -~]+$/);
    expect(tag).toContain('data-release="1&#34;&#62;&#60;script&#62;&#233;&#38;&#128512;"');
  });
});
