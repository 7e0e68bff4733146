export const runtime = "edge";
export const dynamic = "force-dynamic";

export default function Edge() {
  throw new Error("the edge has no kettle, secret-of-the-kitchen");
}
