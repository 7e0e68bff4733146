/**
 * Puts notices into a stream of React's HTML. On a server React has no error boundaries: where a part fails it leaves the
 * loading state standing, with the digest in a `template` beside it, and counts on the browser to render the part again.
 * Here the notice takes that place in the markup itself, so that it is there without scripts, without hydration, and
 * while both are on their way.
 *
 * React (19.3, `react-dom-server.bun.production.js`) writes a failed boundary in one of two ways:
 *
 *     before the flush   <!--$!--><template data-dgst="7F3K-Q2M9"></template>…loading…<!--/$-->
 *     after the flush    <script nonce="…">…$RX("B:0","7F3K-Q2M9")</script>
 *
 * In the first the loading state is replaced as it passes. Behind the second a `template` with the notice follows, and a
 * script that moves it to the boundary. React takes either for a boundary that the browser has to render, as before.
 *
 * As long as nothing has failed everything passes untouched. React's own comments and scripts cannot be forged by data: text is
 * written with `<` escaped, and so are strings in its scripts.
 */
const FAILED_EARLY = "<!--$!-->";
const FAILED_LATE = '$RX("';
const BOUNDARY_START = "<!--$";
const BOUNDARY_END = "<!--/$-->";
const TEMPLATE_END = "</template>";
const SCRIPT_END = "</script>";
const DIGEST = /^<!--\$!--><template data-dgst="([^"]*)"/;
const LATE_CALL = /\$RX\("([^"]*)","([^"]*)"\)<\/script>$/;

/** What is in the way of a notice, and how it is made. */
export interface NoticeSource {
  /** True as soon as anything has failed in this render. */
  readonly anyFailed: () => boolean;
  /** The notice for a digest as markup; null when it is none of ours, so that the loading state stays. */
  readonly noticeFor: (digest: string) => string | null;
  readonly nonce: string;
}

/** Reads one stream of markup, piece after piece, and puts notices in place of what failed. A piece may end anywhere. */
export class NoticeWriter {
  readonly #source: NoticeSource;
  /** Text that may be the beginning of something that concerns us. */
  #held = "";
  /** How many boundaries deep we are in a loading state that is being left out; null when in none. */
  #depth: number | null = null;

  constructor(source: NoticeSource) {
    this.#source = source;
  }

  /** What is sent in place of `html`: less where a mark may have begun, the rest of it with the next piece or the last. */
  write(html: string, isLast: boolean): string {
    if (this.#held === "" && this.#depth === null && !this.#source.anyFailed()) return html;
    this.#held += html;
    let out = "";
    for (let step = this.#step(); step !== null; step = this.#step()) out += step;
    return isLast ? out + this.#take(this.#held.length) : out;
  }

  /** Takes one step and gives what it wrote; null when more text is needed. */
  #step(): string | null {
    if (this.#held === "") return null;
    return this.#depth === null ? this.#copy() : this.#leaveOut(this.#depth);
  }

  #copy(): string | null {
    const early = this.#held.indexOf(FAILED_EARLY);
    const late = this.#held.indexOf(FAILED_LATE);
    if (early === 0) return this.#early();
    if (late === 0) return this.#late();
    const next = Math.min(early < 0 ? Infinity : early, late < 0 ? Infinity : late);
    const until = next === Infinity ? this.#held.length - this.#partialLength() : next;
    return until === 0 ? null : this.#take(until);
  }

  #early(): string | null {
    const end = this.#held.indexOf(TEMPLATE_END);
    if (end < 0) return null;
    const markup = this.#take(end + TEMPLATE_END.length);
    const digest = DIGEST.exec(markup)?.[1];
    const notice = digest === undefined ? null : this.#source.noticeFor(digest);
    if (notice === null) return markup;
    this.#depth = 0;
    return markup + notice;
  }

  #late(): string | null {
    const end = this.#held.indexOf(SCRIPT_END);
    if (end < 0) return null;
    const script = this.#take(end + SCRIPT_END.length);
    const [, boundary, digest] = LATE_CALL.exec(script) ?? [];
    if (boundary === undefined || digest === undefined) return script;
    const notice = this.#source.noticeFor(digest);
    if (notice === null) return script;
    const move = `<script nonce="${this.#source.nonce}">(${MOVE_NOTICE})(document,"${boundary}")</script>`;
    return `${script}<template id="N:${boundary}">${notice}</template>${move}`;
  }

  /** Swallows the loading state up to the end of its boundary. Boundaries inside of it are counted. */
  #leaveOut(depth: number): string | null {
    const end = this.#held.indexOf(BOUNDARY_END);
    const start = this.#held.indexOf(BOUNDARY_START);
    if (end < 0 && start < 0) {
      this.#held = this.#held.slice(this.#held.length - this.#partialLength());
      return null;
    }
    if (start >= 0 && (end < 0 || start < end)) {
      this.#depth = depth + 1;
      this.#take(start + BOUNDARY_START.length);
      return "";
    }
    if (depth > 0) {
      this.#depth = depth - 1;
      this.#take(end + BOUNDARY_END.length);
      return "";
    }
    this.#depth = null;
    this.#take(end);
    return this.#take(BOUNDARY_END.length);
  }

  /** How many characters at the end of what is held may be the beginning of a mark. */
  #partialLength(): number {
    for (let length = Math.min(BOUNDARY_END.length, this.#held.length); length > 0; length--) {
      const tail = this.#held.slice(-length);
      if (
        [FAILED_EARLY, FAILED_LATE, BOUNDARY_START, BOUNDARY_END].some((m) => m.startsWith(tail))
      ) {
        return length;
      }
    }
    return 0;
  }

  #take(length: number): string {
    const taken = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return taken;
  }
}

/**
 * Runs in the page, behind `$RX`: empties the boundary and puts the notice there. Where React hydrates the boundary it
 * renders it anew and clears what is in it, this included.
 */
const MOVE_NOTICE = `function(d,id){
var b=d.getElementById(id),t=d.getElementById("N:"+id),n,c,depth=0;
if(b&&t){
for(n=b.nextSibling;n;n=c){
c=n.nextSibling;
if(n.nodeType===8){if(n.data==="/$"){if(!depth)break;depth--}else if(n.data[0]==="$")depth++}
n.remove()}
b.parentNode.insertBefore(t.content,n)}
if(t)t.remove();d.currentScript.remove()}`.replace(/\n/g, "");
