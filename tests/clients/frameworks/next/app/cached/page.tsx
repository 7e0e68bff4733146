import { unstable_cache } from "next/cache";

export const dynamic = "force-dynamic";

const readPrices = unstable_cache(async (): Promise<string> => {
  throw new Error("the price list is gone, secret-of-the-kitchen");
});

export default async function Cached() {
  return <p>{await readPrices()}</p>;
}
