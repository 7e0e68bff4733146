import { withErrata } from "errata/next";
import { type NextRequest, NextResponse } from "next/server";

// The shop has a proxy of its own, which fails for one path.
export const proxy = withErrata((request: NextRequest) => {
  const { pathname } = request.nextUrl;
  if (pathname === "/gate") throw new Error("the gate is stuck, secret-of-the-kitchen");
  if (pathname === "/old-home") return NextResponse.redirect(new URL("/", request.url));
  return NextResponse.next();
});

export const config = { matcher: "/((?!_next/|.*\\..*).*)" };
