/** A sum with a fault: a cart may have no lines. */
export interface Line {
  readonly price: number;
  readonly count: number;
}

export interface Cart {
  readonly lines?: readonly Line[];
}

export class Till {
  readonly #carts: readonly Cart[];

  constructor(carts: readonly Cart[]) {
    this.#carts = carts;
  }

  /** The sum of all carts. Throws for a cart without lines. */
  totalOfCarts(): number {
    return this.#carts.reduce((sum, cart) => sum + totalOf(cart), 0);
  }
}

function totalOf(cart: Cart): number {
  const { lines } = cart;
  // biome-ignore lint/style/noNonNullAssertion: the fault of this program
  return lines!.reduce((sum, { price, count }) => sum + price * count, 0);
}
