// How the tools read a desk: as JSON, with the API token of ERRATA_TOKEN if it is set.

/** The headers of a GET request. */
export function readHeaders() {
  const token = process.env.ERRATA_TOKEN;
  return { accept: "application/json", ...(token && { authorization: `Bearer ${token}` }) };
}
