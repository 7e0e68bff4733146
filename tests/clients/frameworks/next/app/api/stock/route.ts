export const dynamic = "force-dynamic";

export function GET(): Response {
  throw new Error("the stock room is locked, secret-of-the-kitchen");
}
