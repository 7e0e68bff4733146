// How the tools read a desk: as JSON, by an API token where one is named (ERRATA_TOKEN).

/** The headers of a request that reads. */
export function readHeaders() {
  const token = process.env.ERRATA_TOKEN;
  return { accept: "application/json", ...(token && { authorization: `Bearer ${token}` }) };
}
