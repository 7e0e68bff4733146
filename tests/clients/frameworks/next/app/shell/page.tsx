export const dynamic = "force-dynamic";

// Fails before the first byte.
export default function Shell() {
  throw new TypeError("no menu today, secret-of-the-kitchen");
}
