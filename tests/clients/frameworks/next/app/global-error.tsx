"use client";

export { GlobalErrorPage as default } from "errata/next/client";
