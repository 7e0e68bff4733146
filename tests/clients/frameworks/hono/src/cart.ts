/** Carts that fail in different ways. The texts of their errors are secret. */

export function getPrice(id: string): string {
  throw new TypeError(`secret-of-the-kitchen: cart ${id} has no price`);
}

export async function getTotal(id: string): Promise<string> {
  await pause();
  throw new RangeError(`secret-of-the-kitchen: cart ${id} has no total`);
}

export const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
