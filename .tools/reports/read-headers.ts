// The request headers with which the tools read Errata: JSON, with the API token in ERRATA_TOKEN if
// it is set.

/** The headers of a GET request. */
export function readHeaders() {
  const token = process.env.ERRATA_TOKEN;
  return { accept: "application/json", ...(token && { authorization: `Bearer ${token}` }) };
}
