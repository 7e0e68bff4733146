"use client";

export { ErrorPage as default } from "errata/next/client";
