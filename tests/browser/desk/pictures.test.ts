import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { createNoticePage } from "#src/adapters/notice.ts";
import { createQrCode } from "#src/adapters/qr.ts";
import { findAxeViolations } from "#support/browser/axe.ts";
import { openProduct } from "#support/browser/product.ts";

const product = openProduct();
const INTER = `data:font/woff2;base64,${readFileSync("src/ui/layout/fonts/inter-latin.woff2").toString("base64")}`;
let digest = "";

beforeAll(async () => {
  const message = { errata: 1, how: "uncaught", type: "TeaError", message: "no tea" };
  const body = JSON.stringify({ ...message, release: "1.4.0" });
  const response = await fetch(`${product.url}/monitoring`, { method: "POST", body });
  ({ digest } = (await response.json()) as { digest: string });
});

interface Picture {
  readonly colorScheme: "light" | "dark";
  readonly deviceScaleFactor: number;
  /** The size of the picture, compared with the screen. */
  readonly scale: number;
  readonly type: "image/png" | "image/jpeg";
  readonly qr?: boolean;
}

const WORDS =
  "<p>The basket of the <b>Tea House</b> has 3 items, order 4410-2231 of 2026-11-28.</p>".repeat(4);

/** Takes a picture of a page that shows the notice among other content. */
async function take(html: string, picture: Omit<Picture, "qr">): Promise<Buffer> {
  const { colorScheme, deviceScaleFactor, scale, type } = picture;
  const viewport = { width: 700, height: 480 };
  const page = await product.open({ colorScheme, deviceScaleFactor, viewport });
  await page.setContent(html.replace("<body>", `<body>${WORDS}`).replace("</body>", WORDS));
  const shot = (await page.screenshot()).toString("base64");
  const scaled = await page.evaluate(
    async ({ shot, scale, type }) => {
      const bytes = Uint8Array.from(atob(shot), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(bitmap.width * scale, bitmap.height * scale);
      canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      const blob = await canvas.convertToBlob({ type, quality: 0.6 });
      return btoa(
        Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) =>
          String.fromCharCode(byte),
        ).join(""),
      );
    },
    { shot, scale, type },
  );
  return Buffer.from(scaled, "base64");
}

const takeNotice = ({ qr = false, ...picture }: Picture, shown = digest) =>
  take(
    createNoticePage({
      digest: shown,
      receiptUrl: `https://errata.example/e/${shown}`,
      qr: qr ? createQrCode(`https://errata.example/e/${shown}`) : undefined,
    }),
    picture,
  );

/** Opens a page of the desk, and the paths that it requests from then on. */
async function openDesk(): Promise<{ page: Page; requests: string[] }> {
  const page = await product.open();
  await page.goto("/releases", { waitUntil: "load" });
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    requests.push(`${request.method()} ${pathname}${search} ${request.postData() ?? ""}`.trim());
  });
  return { page, requests };
}

const choose = (page: Page, buffer: Buffer, mimeType: string) =>
  page
    .locator(".site-header [data-picture]")
    .setInputFiles({ name: "screenshot", mimeType, buffer });

const PNG = { colorScheme: "light", deviceScaleFactor: 2, scale: 1, type: "image/png" } as const;

describe.each(["light", "dark"] as const)("a screenshot of a %s notice", (colorScheme) => {
  it.each([
    [1, 1, "image/png"],
    [1, 1, "image/jpeg"],
    [1, 2, "image/jpeg"],
    [2, 0.5, "image/jpeg"],
    [2, 1, "image/jpeg"],
    [2, 0.75, "image/png"],
    [1, 3, "image/jpeg"],
    [3, 1, "image/png"],
  ] as const)(
    "opens the issue of its digest: pixel ratio %s, scaled %s, %s",
    async (deviceScaleFactor, scale, type) => {
      const picture = { colorScheme, deviceScaleFactor, scale, type };
      const buffer = await takeNotice(picture);
      const { page } = await openDesk();
      await choose(page, buffer, type);
      await page.waitForURL(`**/d/${digest}`);
    },
  );

  it.each([
    [1, 1, "image/jpeg"],
    [2, 0.5, "image/jpeg"],
    [3, 1, "image/png"],
  ] as const)(
    "opens the issue of its QR code, whatever digest it shows: pixel ratio %s, scaled %s, %s",
    async (deviceScaleFactor, scale, type) => {
      const buffer = await takeNotice({ colorScheme, deviceScaleFactor, scale, type, qr: true });
      const { page } = await openDesk();
      await choose(page, buffer, type);
      await page.waitForURL(`**/d/${digest}`);
    },
  );
});

it.each([
  [1, "20px Inter", "light"],
  [2, "16px Inter", "dark"],
  [3, "14px Inter", "light"],
] as const)(
  "the digest on the error page of a framework is read: pixel ratio %s, %s, %s",
  async (deviceScaleFactor, font, colorScheme) => {
    const [ink, paper] = colorScheme === "dark" ? ["#eee", "#000"] : ["#111", "#fff"];
    const html = `<!doctype html><html><head><style>@font-face { font-family: Inter; src: url("${INTER}") }
      body { background: ${paper}; color: ${ink}; font: ${font} }</style></head><body>
      <h2>Application error: a server-side exception has occurred.</h2><p>Digest: ${digest}</p>
      </body></html>`;
    const picture = { colorScheme, deviceScaleFactor, scale: 1, type: "image/png" } as const;
    const { page } = await openDesk();
    await choose(page, await take(html, picture), "image/png");
    await page.waitForURL(`**/d/${digest}`);
  },
);

it("the picture leaves the browser in no request, only the code does", async () => {
  const { page, requests } = await openDesk();
  await choose(page, await takeNotice(PNG), "image/png");
  await page.waitForURL(`**/d/${digest}`);
  const isOwn = (request: string) => /^GET \/(assets\/[\w.-]+|d\/|favicon)/.test(request);
  expect(requests.filter((request) => !isOwn(request)).slice(0, 1)).toEqual([
    `GET /lookup?q=${digest}`,
  ]);
  expect(requests.filter((request) => /^(POST|PUT)/.test(request))).toEqual([]);
});

it.each(["paste", "drop"])("a picture is read after a %s anywhere on the desk", async (type) => {
  const data = (await takeNotice(PNG)).toString("base64");
  const { page } = await openDesk();
  await page.evaluate(
    ({ data, type }) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], "a.png", { type: "image/png" }));
      const init = { bubbles: true, cancelable: true };
      const event =
        type === "paste"
          ? new ClipboardEvent("paste", { ...init, clipboardData: transfer })
          : new DragEvent("drop", { ...init, dataTransfer: transfer });
      document.querySelector("main")?.dispatchEvent(event);
    },
    { data, type },
  );
  await page.waitForURL(`**/d/${digest}`);
});

it("a picture without a code is answered by a sentence that says what to type", async () => {
  const { page } = await openDesk();
  const buffer = await take("<html><body></body></html>", PNG);
  await choose(page, buffer, "image/png");
  await page.getByText("No code was found in this picture. Type the eight characters").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  expect(new URL(page.url()).pathname).toBe("/releases");
});

it("a file that is no picture is refused", async () => {
  const { page } = await openDesk();
  await choose(page, Buffer.from("not a picture"), "image/png");
  await page.getByText("This file is not a picture.").waitFor();
});

it("a digest whose check character is wrong is never opened", async () => {
  const wrong = `${digest.slice(0, -1)}${digest.endsWith("7") ? "9" : "7"}`;
  const { page, requests } = await openDesk();
  await choose(page, await takeNotice(PNG, wrong), "image/png");
  await page.locator(".picture-note").getByRole("button", { name: "Close" }).waitFor();
  expect(requests.filter((request) => request.includes("/lookup"))).toEqual([]);
});
