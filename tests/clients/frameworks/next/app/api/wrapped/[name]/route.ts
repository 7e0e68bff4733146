import { wrapRouteHandler } from "errata/next";
import { redirect } from "next/navigation";
import type { NextRequest } from "next/server";

interface Context {
  readonly params: Promise<{ readonly name: string }>;
}

export const GET = wrapRouteHandler(async (_request: NextRequest, { params }: Context) => {
  const { name } = await params;
  if (name === "elsewhere") redirect("/");
  const dishes = JSON.parse("{}") as Record<string, { readonly price: number }>;
  return Response.json({ price: dishes[name]?.price.toFixed(2) ?? fail(name) });
});

function fail(name: string): never {
  throw new Error(`no price of ${name}, secret-of-the-kitchen`);
}
