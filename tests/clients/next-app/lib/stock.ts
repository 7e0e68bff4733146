/** The stock, whose count fails. */
export class Stock {
  readonly #items: ReadonlyMap<string, number> = new Map();

  /** The count of an item. Throws if the item is unknown. */
  countOf(item: string): number {
    const count = this.#items.get(item);
    if (count === undefined) throw new RangeError(`no count of ${item}`);
    return count;
  }
}
