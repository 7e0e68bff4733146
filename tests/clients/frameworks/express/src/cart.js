/** A cart that fails in different ways. The texts of its errors are secret. */
export function createCart(id) {
  return {
    price() {
      throw new TypeError(`secret-of-the-kitchen: cart ${id} has no price`);
    },
    async total() {
      await Promise.resolve();
      throw new RangeError(`secret-of-the-kitchen: cart ${id} has no total`);
    },
    refuse() {
      return new Error(`secret-of-the-kitchen: cart ${id} is refused`);
    },
    async *listLines() {
      yield "<p>One line";
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error(`secret-of-the-kitchen: cart ${id} has no second line`);
    },
  };
}
