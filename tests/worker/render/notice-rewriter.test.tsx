import fc from "fast-check";
import { Suspense, use } from "react";
import { describe, expect, it } from "vitest";
import { NoticeRewriter } from "#src/render/notice-rewriter.ts";
import { renderToReadableStream } from "#src/render/react/react-stream.ts";

const NOTICE = "<p>Notice für 7F3K-Q2M9 📖</p>";
const source = {
  hasFailed: () => true,
  renderNotice: (digest: string) => (digest === "7F3K-Q2M9" ? NOTICE : null),
  nonce: "n0nce",
};

/**
 * The text split after each position of `at`, possibly within a surrogate pair.
 */
function splitAt(text: string, at: readonly number[]): string[] {
  const ends = [...new Set(at.map((n) => n % (text.length + 1)))].sort((a, b) => a - b);
  return [...ends, text.length].map((end, i) => text.slice(ends[i - 1] ?? 0, end));
}

/** The rewritten stream. The last piece is empty, as React's is. */
function rewriteAll(text: string, at: readonly number[] = [], from = source): string {
  const writer = new NoticeRewriter(from);
  const sent = splitAt(text, at).map((piece) => writer.write(piece, false));
  return sent.join("") + writer.write("", true);
}

describe("a boundary that failed before the flush", () => {
  const page = (digest: string, loading = "<i>Loading…</i>") =>
    `<main><!--$!--><template data-dgst="${digest}"></template>${loading}<!--/$--><p>rest — Rest</p></main>`;

  it("contains its notice in place of the loading state", () => {
    expect(rewriteAll(page("7F3K-Q2M9"))).toBe(
      `<main><!--$!--><template data-dgst="7F3K-Q2M9"></template>${NOTICE}<!--/$--><p>rest — Rest</p></main>`,
    );
  });

  it("keeps its loading state if the digest is not Errata's", () => {
    expect(rewriteAll(page("2338823894"))).toBe(page("2338823894"));
  });

  it("keeps its loading state if there is no digest, as in control flow", () => {
    const text = "<!--$!--><template></template><i>Loading…</i><!--/$-->";
    expect(rewriteAll(text)).toBe(text);
  });

  it("is rewritten together with the boundaries in its loading state", () => {
    const inner = '<!--$--><b>1</b><!--/$--><!--$?--><template id="B:7"></template><!--/$-->';
    expect(rewriteAll(page("7F3K-Q2M9", inner))).toBe(rewriteAll(page("7F3K-Q2M9")));
  });
});

describe("a boundary that failed after the flush", () => {
  const script = (digest: string) =>
    `<script nonce="n0nce">$RX=function(b,c){};$RX("B:0","${digest}")</script></body></html>`;

  it("is followed by its notice and a script with the nonce that moves the notice there", () => {
    const html = rewriteAll(script("7F3K-Q2M9"));
    expect(html).toContain(
      `</script><template id="N:B:0">${NOTICE}</template><script nonce="n0nce">(function`,
    );
    expect(html).toMatch(/\(document,"B:0"\)<\/script><\/body><\/html>$/);
  });

  it("is left to React if the digest is not Errata's", () => {
    expect(rewriteAll(script("2338823894"))).toBe(script("2338823894"));
  });
});

describe("the stream", () => {
  it("is unchanged, piece by piece, while no boundary has failed", () => {
    const writer = new NoticeRewriter({ ...source, hasFailed: () => false });
    for (const piece of ["<p>1", "<!--$!-->", "<!--$!--><template data-"]) {
      expect(writer.write(piece, false)).toBe(piece);
    }
  });

  it("is the same for every division into chunks", async () => {
    const html = await stressPage();
    const whole = rewriteAll(html);
    expect(whole.split(NOTICE)).toHaveLength(1 + 3);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 200 }), (at) => {
        expect(rewriteAll(html, at)).toBe(whole);
      }),
      { numRuns: 60 },
    );
  });

  it("ends complete if it ends within a marker", () => {
    for (const text of ["<!--$!", "<!--$!--><template data-", '<script>$RX("B:0"', "<p>über"]) {
      expect(rewriteAll(text, [2])).toBe(text);
    }
  });
});

/** A page rendered by React, with all kinds of boundaries, and digests from `onError`. */
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
