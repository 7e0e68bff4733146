/** A request body of the sample data. */
import { SAMPLE_ENVIRONMENT } from "../report/sample-environment.ts";

/** One request to ingest. */
export interface SamplePayload {
  readonly text: string;
  /** The error name of each item, in order; "" for items without one. */
  readonly errorNames: readonly string[];
  /** Defaults from the request URL. */
  readonly defaults: { readonly environment: string; readonly release?: string };
}

/** Defaults of all sample requests. */
export const SAMPLE_DEFAULTS = { environment: SAMPLE_ENVIRONMENT } as const;
