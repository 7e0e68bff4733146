export const dynamic = "force-dynamic";

// The start page links here, so that the browser asks for its data alone.
export default function Soft() {
  throw new Error("the menu did not come, secret-of-the-kitchen");
}
