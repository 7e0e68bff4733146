/** A body of the sample data, for ingest. */
import { SAMPLE_ENVIRONMENT } from "./sentry-events.ts";

/** What would come in one request. */
export interface SamplePayload {
  readonly text: string;
  /** Which fault each of its items reports, in their order; "" for what reports none. */
  readonly errorNames: readonly string[];
  /** What the address says of it, where the body cannot. */
  readonly defaults: { readonly environment: string; readonly release?: string };
}

/** What every address of the sample says. */
export const SAMPLE_DEFAULTS = { environment: SAMPLE_ENVIRONMENT } as const;
