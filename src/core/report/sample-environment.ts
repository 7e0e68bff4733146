/** The environment of all reports and sessions of the sample data, by which they are removed. */
export const SAMPLE_ENVIRONMENT = "sample";
