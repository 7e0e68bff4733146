"use client";

// A client component that fails on the server and in the browser.
export function Chart(): never {
  throw new Error("no chart on either side, secret-of-the-kitchen");
}
