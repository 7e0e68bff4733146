import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "../support/axe.ts";
import { copied } from "../support/clipboard.ts";
import { openProduct } from "../support/product.ts";

const product = openProduct();

const violation = (effectiveDirective: string, blockedURL: string) => ({
  type: "csp-violation",
  url: "https://shop.example/cart",
  body: { effectiveDirective, blockedURL, documentURL: "https://shop.example/cart" },
});

describe.each([true, false])("a policy (scripts: %s)", (javaScriptEnabled) => {
  it("is tested, corrected after an error, and tested again", async () => {
    await fetch(`${product.url}/monitoring`, {
      method: "POST",
      body: JSON.stringify([
        violation("img-src", "https://cdn.example/a.png"),
        violation("script-src-elem", "inline"),
      ]),
    });
    const page = await product.open({ javaScriptEnabled });
    await page.goto("/csp", { waitUntil: "load" });
    const box = page.getByRole("textbox", { name: "Paste a policy" });
    await box.fill("nothing of the kind");
    await page.getByRole("button", { name: "Test policy" }).click();
    await page.getByRole("alert").getByText("Not tested").waitFor();
    expect(await box.inputValue()).toBe("nothing of the kind");
    await box.fill("Content-Security-Policy: default-src 'self'");
    await page.getByRole("button", { name: "Test policy" }).click();
    const verdicts = page.locator("td.verdict");
    await verdicts.first().waitFor();
    expect(await verdicts.allTextContents()).toEqual(["Still blocked", "Still blocked"]);
    await page.getByText("img-src 'self' https://cdn.example").waitFor();
    expect(new URL(page.url()).searchParams.get("policy")).toContain("default-src 'self'");
  });
});

describe("the result of a dry run with long and unusual values", () => {
  const long = "a-very-long-name-of-a-host".repeat(4);
  const policy = `default-src 'self'; img-src 'none' ${long}.example https://x.example/?q, font-src *`;
  const path = `/csp?${new URLSearchParams({ policy })}`;
  const open = async (width: number, options: Parameters<typeof product.open>[0] = {}) => {
    const page = await product.open({ viewport: { width, height: 900 }, ...options });
    await page.goto(path, { waitUntil: "load" });
    await page.locator(".additions").waitFor();
    await page.locator(".violation").first().waitFor();
    return page;
  };

  beforeAll(async () => {
    const hosts = Array.from({ length: 12 }, (_, n) => `https://cdn${n}.example/a.png`);
    const reported = [
      ...hosts.map((url) => violation("img-src", url)),
      violation(
        "connect-src",
        `https://${"a".repeat(60)}.${"b".repeat(60)}.example/${"c".repeat(400)}`,
      ),
      violation("style-src-attr", "inline"),
    ];
    await fetch(`${product.url}/monitoring`, { method: "POST", body: JSON.stringify(reported) });
  });

  it.each([360, 768, 1440])(
    "passes axe and does not scroll sideways at %i px, light and dark",
    async (width) => {
      const page = await open(width);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await axeViolations(page)).toEqual([]);
      }
      const overflow = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect(overflow).toBeLessThanOrEqual(0);
    },
  );

  it.each([360, 1440])(
    "copies its header as one line and moves nothing at %i px",
    async (width) => {
      const page = await open(width, { permissions: ["clipboard-read", "clipboard-write"] });
      const header = page.locator(".suggested-policy .snippet");
      const sizes = async () =>
        [await header.boundingBox(), await header.locator("pre").boundingBox()].map((box) => [
          box?.width,
          box?.height,
        ]);
      const before = await sizes();
      await header.getByRole("button").click();
      await header.getByText("Copied").waitFor();
      expect(await sizes()).toEqual(before);
      expect(await copied(page)).toMatch(
        /^Content-Security-Policy: default-src 'self'; img-src [^;\n]*; connect-src [^\n]*, font-src \*$/,
      );
    },
  );
});
