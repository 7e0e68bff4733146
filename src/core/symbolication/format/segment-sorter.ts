/** Sorts the segments of one line. A line of a bundle may have a million. */
import { createSegment, type Segment } from "./mapping-blocks.ts";

const NUMBERS = 5;
const START_CAPACITY = 1_024;

/**
 * Collects segments of one line and emits them by column. Segments of one column keep their order.
 */
export class SegmentSorter {
  line = 0;
  length = 0;
  #numbers = new Int32Array(0);
  readonly #emit: (segment: Segment) => void;

  constructor(emit: (segment: Segment) => void) {
    this.#emit = emit;
  }

  add({ line, column, source, originalLine, originalColumn, name }: Segment): void {
    this.line = line;
    if ((this.length + 1) * NUMBERS > this.#numbers.length) {
      const grown = new Int32Array(Math.max(START_CAPACITY, this.length * 2) * NUMBERS);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers.set([column, source, originalLine, originalColumn, name], this.length * NUMBERS);
    this.length++;
  }

  /** Emits the collected segments. */
  flush(): void {
    if (this.length === 0) return;
    const numbers = this.#numbers;
    const order = Uint32Array.from({ length: this.length }, (_, index) => index * NUMBERS);
    order.sort((a, b) => (numbers[a] as number) - (numbers[b] as number) || a - b);
    const segment = createSegment(this.line);
    for (const at of order) {
      segment.column = numbers[at] as number;
      segment.source = numbers[at + 1] as number;
      segment.originalLine = numbers[at + 2] as number;
      segment.originalColumn = numbers[at + 3] as number;
      segment.name = numbers[at + 4] as number;
      this.#emit(segment);
    }
    this.length = 0;
  }
}
