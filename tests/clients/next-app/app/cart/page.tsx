// Fails on the server before anything of the page was sent: the visitor gets Next.js' own error page, with status 500.
export const dynamic = "force-dynamic";

function priceOf(cart: string): number {
  throw new TypeError(`no price for ${cart}`);
}

export default async function Cart() {
  return <p>{priceOf("this cart")}</p>;
}
