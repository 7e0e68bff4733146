import { Stock } from "../../lib/stock.ts";

// Fails on the server, in a method of another file.
export const dynamic = "force-dynamic";

export default async function StockPage() {
  return <p>{new Stock().countOf("tea")}</p>;
}
