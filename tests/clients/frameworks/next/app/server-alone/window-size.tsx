"use client";

// A client component that fails on the server alone. The browser renders the page.
export function WindowSize() {
  if (typeof window === "undefined") throw new Error("no window, secret-of-the-kitchen");
  return <p>The browser rendered this</p>;
}
