"use client";

interface Cart {
  readonly lines?: readonly { readonly price: number }[];
}

function totalOf(cart: Cart): number {
  const { lines } = cart;
  return (lines as { readonly price: number }[]).reduce((sum, { price }) => sum + price, 0);
}

// Fails in the browser, in a handler: React shows nothing of it.
export default function Till() {
  return (
    <button type="button" onClick={() => alert(totalOf({}))}>
      Pay
    </button>
  );
}
