"use client";

import { useEffect } from "react";

export default function Effect() {
  useEffect(() => {
    throw new Error("the clock stopped in the browser");
  }, []);
  return <p>The clock</p>;
}
