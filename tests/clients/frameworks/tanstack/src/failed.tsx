import type { ErrorComponentProps } from "@tanstack/react-router";
import { Notice } from "errata/react";

/** What a visitor sees instead of a page that failed. */
export function Failed({ error }: ErrorComponentProps) {
  return <Notice error={error} />;
}
