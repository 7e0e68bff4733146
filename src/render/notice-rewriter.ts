/**
 * Inserts notices into a stream of React's HTML. React has no error boundaries on a server: it
 * keeps the fallback of a failed boundary, with the digest in a `template`, and expects the browser
 * to render it again. This module replaces the fallback with the notice in the markup, so that it
 * is visible without scripts and before hydration.
 *
 * React (19.3, `react-dom-server.bun.production.js`) writes a failed boundary in one of two ways:
 *
 *     before the flush   <!--$!--><template data-dgst="7F3K-Q2M9"></template>…loading…<!--/$-->
 *     after the flush    <script nonce="…">…$RX("B:0","7F3K-Q2M9")</script>
 *
 * In the first case the fallback is replaced. After the second a `template` with the notice
 * follows, and a script that moves it to the boundary. React still renders both boundaries in the
 * browser.
 *
 * Until something fails, the stream passes unchanged. Data cannot forge React's comments and
 * scripts, because React escapes `<` in text and in its scripts.
 */
const EARLY_FAILURE_MARKER = "<!--$!-->";
const LATE_FAILURE_MARKER = '$RX("';
const BOUNDARY_START = "<!--$";
const BOUNDARY_END = "<!--/$-->";
const TEMPLATE_END = "</template>";
const SCRIPT_END = "</script>";
const EARLY_FAILURE_DIGEST = /^<!--\$!--><template data-dgst="([^"]*)"/;
const LATE_FAILURE_CALL = /\$RX\("([^"]*)","([^"]*)"\)<\/script>$/;

interface NoticeRewriterOptions {
  /** True once anything has failed in this render. */
  readonly hasFailed: () => boolean;
  /** The markup of the notice; null for an unknown digest, which keeps the fallback. */
  readonly renderNotice: (digest: string) => string | null;
  readonly nonce: string;
}

/** Rewrites one stream of markup. Chunks may end anywhere. */
export class NoticeRewriter {
  readonly #options: NoticeRewriterOptions;
  /** Text that may be the beginning of a marker. */
  #buffer = "";
  /** The depth of boundaries inside the skipped fallback; null outside of one. */
  #fallbackDepth: number | null = null;

  constructor(source: NoticeRewriterOptions) {
    this.#options = source;
  }

  /** The markup to send for `html`. A possible partial marker is held back for the next call. */
  write(html: string, isLast: boolean): string {
    if (this.#buffer === "" && this.#fallbackDepth === null && !this.#options.hasFailed())
      return html;
    this.#buffer += html;
    let output = "";
    for (let piece = this.#rewriteNext(); piece !== null; piece = this.#rewriteNext())
      output += piece;
    return isLast ? output + this.#consume(this.#buffer.length) : output;
  }

  /** Rewrites the next part; null if more text is needed. */
  #rewriteNext(): string | null {
    if (this.#buffer === "") return null;
    return this.#fallbackDepth === null
      ? this.#copyThrough()
      : this.#skipFallback(this.#fallbackDepth);
  }

  #copyThrough(): string | null {
    const earlyIndex = this.#buffer.indexOf(EARLY_FAILURE_MARKER);
    const lateIndex = this.#buffer.indexOf(LATE_FAILURE_MARKER);
    if (earlyIndex === 0) return this.#insertEarlyNotice();
    if (lateIndex === 0) return this.#insertLateNotice();
    const next = Math.min(
      earlyIndex < 0 ? Infinity : earlyIndex,
      lateIndex < 0 ? Infinity : lateIndex,
    );
    const endIndex = next === Infinity ? this.#buffer.length - this.#countPartialMarker() : next;
    return endIndex === 0 ? null : this.#consume(endIndex);
  }

  #insertEarlyNotice(): string | null {
    const end = this.#buffer.indexOf(TEMPLATE_END);
    if (end < 0) return null;
    const markup = this.#consume(end + TEMPLATE_END.length);
    const digest = EARLY_FAILURE_DIGEST.exec(markup)?.[1];
    const notice = digest === undefined ? null : this.#options.renderNotice(digest);
    if (notice === null) return markup;
    this.#fallbackDepth = 0;
    return markup + notice;
  }

  #insertLateNotice(): string | null {
    const end = this.#buffer.indexOf(SCRIPT_END);
    if (end < 0) return null;
    const script = this.#consume(end + SCRIPT_END.length);
    const [, boundary, digest] = LATE_FAILURE_CALL.exec(script) ?? [];
    if (boundary === undefined || digest === undefined) return script;
    const notice = this.#options.renderNotice(digest);
    if (notice === null) return script;
    const move = `<script nonce="${this.#options.nonce}">(${MOVE_NOTICE_SCRIPT})(document,"${boundary}")</script>`;
    return `${script}<template id="N:${boundary}">${notice}</template>${move}`;
  }

  /** Skips the fallback up to the end of its boundary, counting the boundaries inside. */
  #skipFallback(depth: number): string | null {
    const end = this.#buffer.indexOf(BOUNDARY_END);
    const start = this.#buffer.indexOf(BOUNDARY_START);
    if (end < 0 && start < 0) {
      this.#buffer = this.#buffer.slice(this.#buffer.length - this.#countPartialMarker());
      return null;
    }
    if (start >= 0 && (end < 0 || start < end)) {
      this.#fallbackDepth = depth + 1;
      this.#consume(start + BOUNDARY_START.length);
      return "";
    }
    if (depth > 0) {
      this.#fallbackDepth = depth - 1;
      this.#consume(end + BOUNDARY_END.length);
      return "";
    }
    this.#fallbackDepth = null;
    this.#consume(end);
    return this.#consume(BOUNDARY_END.length);
  }

  /** The number of characters at the end of the buffer that may begin a marker. */
  #countPartialMarker(): number {
    for (let length = Math.min(BOUNDARY_END.length, this.#buffer.length); length > 0; length--) {
      const tail = this.#buffer.slice(-length);
      if (
        [EARLY_FAILURE_MARKER, LATE_FAILURE_MARKER, BOUNDARY_START, BOUNDARY_END].some((m) =>
          m.startsWith(tail),
        )
      ) {
        return length;
      }
    }
    return 0;
  }

  #consume(length: number): string {
    const consumed = this.#buffer.slice(0, length);
    this.#buffer = this.#buffer.slice(length);
    return consumed;
  }
}

/**
 * Runs in the page after `$RX`: replaces the content of the boundary with the notice. If React
 * hydrates the boundary, it clears this content and renders again.
 */
const MOVE_NOTICE_SCRIPT = `function(d,id){
var b=d.getElementById(id),t=d.getElementById("N:"+id),n,k=0;
if(b&&t){
while(n=b.nextSibling){
if(n.nodeType==8){if(n.data=="/$"){if(!k)break;k--}else if(n.data[0]=="$")k++}
n.remove()}
b.after(t.content)}
if(t)t.remove();d.currentScript.remove()}`.replace(/\n/g, "");
