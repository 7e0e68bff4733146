import fc from "fast-check";
import { Suspense, use } from "react";
import { renderToReadableStream } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { withNotices } from "../../src/render/notices.ts";

const NOTICE = "<p>Notice für 7F3K-Q2M9 📖</p>";
const source = {
  anyFailed: () => true,
  noticeFor: (digest: string) => (digest === "7F3K-Q2M9" ? NOTICE : null),
  nonce: "n0nce",
};
const nothing = { ended: () => undefined, cancelled: () => undefined };

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  });
}

/** The text cut into chunks behind each of `at`'s byte positions. */
function cut(text: string, at: readonly number[]): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const ends = [...new Set(at.map((n) => n % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, i) => bytes.slice(ends[i - 1] ?? 0, end));
}

const written = (text: string, at: readonly number[] = [], from = source) =>
  new Response(withNotices(streamOf(cut(text, at)), from, nothing)).text();

describe("a boundary that failed before the flush", () => {
  const page = (digest: string, loading = "<i>Loading…</i>") =>
    `<main><!--$!--><template data-dgst="${digest}"></template>${loading}<!--/$--><p>rest — Rest</p></main>`;

  it("has its notice in its own place, instead of the loading state", async () => {
    expect(await written(page("7F3K-Q2M9"))).toBe(
      `<main><!--$!--><template data-dgst="7F3K-Q2M9"></template>${NOTICE}<!--/$--><p>rest — Rest</p></main>`,
    );
  });

  it("keeps its loading state when the digest is none of ours", async () => {
    expect(await written(page("2338823894"))).toBe(page("2338823894"));
  });

  it("keeps its loading state when there is no digest: control flow", async () => {
    const text = "<!--$!--><template></template><i>Loading…</i><!--/$-->";
    expect(await written(text)).toBe(text);
  });

  it("loses boundaries inside of its loading state with it", async () => {
    const inner = '<!--$--><b>1</b><!--/$--><!--$?--><template id="B:7"></template><!--/$-->';
    expect(await written(page("7F3K-Q2M9", inner))).toBe(await written(page("7F3K-Q2M9")));
  });
});

describe("a boundary that failed after the flush", () => {
  const script = (digest: string) =>
    `<script nonce="n0nce">$RX=function(b,c){};$RX("B:0","${digest}")</script></body></html>`;

  it("is followed by its notice and a script with the nonce that moves it there", async () => {
    const html = await written(script("7F3K-Q2M9"));
    expect(html).toContain(
      `</script><template id="N:B:0">${NOTICE}</template><script nonce="n0nce">(function`,
    );
    expect(html).toMatch(/\(document,"B:0"\)<\/script><\/body><\/html>$/);
  });

  it("is left to React when the digest is none of ours", async () => {
    expect(await written(script("2338823894"))).toBe(script("2338823894"));
  });
});

describe("the stream", () => {
  it("passes untouched, the very same chunks, as long as nothing has failed", async () => {
    const chunks = [new Uint8Array([1, 2, 3]), new TextEncoder().encode("<!--$!-->")];
    const reader = withNotices(
      streamOf(chunks),
      { ...source, anyFailed: () => false },
      nothing,
    ).getReader();
    for (const chunk of chunks) expect((await reader.read()).value).toBe(chunk);
  });

  it("is the same however it is cut into chunks", async () => {
    const html = await stressPage();
    const whole = await written(html);
    expect(whole.split(NOTICE)).toHaveLength(1 + 3);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 200 }), async (at) => {
        expect(await written(html, at)).toBe(whole);
      }),
      { numRuns: 60 },
    );
  });

  it("ends whole when it ends in the middle of a mark", async () => {
    for (const text of ["<!--$!", "<!--$!--><template data-", '<script>$RX("B:0"', "<p>über"]) {
      expect(await written(text, [2])).toBe(text);
    }
  });
});

/** A page of React's own making, with all kinds of boundaries, and digests from `onError`. */
async function stressPage(): Promise<string> {
  const Fails = () => {
    throw new Error("at once");
  };
  const Late = ({ value }: { value: Promise<string> }) => <p>{use(value)}</p>;
  const later = (value: string) => Promise.resolve().then(() => value);
  const rejects = () => later("").then(() => Promise.reject(new Error("late")));
  const html = await renderToReadableStream(
    <html lang="en">
      <body title="日本語 & <!--$!-->">
        <Suspense fallback={<i>一</i>}>
          <Fails />
        </Suspense>
        <Suspense fallback={<i>二</i>}>
          <Late
            value={later(
              'late 👩‍👩‍👧 <template data-dgst="7F3K-Q2M9"></template> $RX("B:0","7F3K-Q2M9")',
            )}
          />
          <Suspense fallback={<i>inner</i>}>
            <Fails />
          </Suspense>
        </Suspense>
        <Suspense fallback={<i>三</i>}>
          <Late value={rejects()} />
        </Suspense>
      </body>
    </html>,
    { onError: () => "7F3K-Q2M9", nonce: "n0nce" },
  );
  return new Response(html).text();
}
