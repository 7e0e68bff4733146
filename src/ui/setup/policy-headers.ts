/** The response headers with which a site reports to Errata, without blocking anything. */

/**
 * The headers, one a line, for the monitoring URL. Browsers use the Reporting API over HTTPS only,
 * and ignore `report-uri` beside `report-to`, so that over HTTP only `report-uri` is left.
 */
export function createPolicyHeaders(monitoring: string): string {
  const policy = `Content-Security-Policy-Report-Only: default-src 'self'; report-uri ${monitoring}`;
  if (!monitoring.startsWith("https:")) return policy;
  return [
    `Reporting-Endpoints: default="${monitoring}"`,
    `${policy}; report-to default`,
    `Report-To: {"group":"default","max_age":86400,"endpoints":[{"url":"${monitoring}"}]}`,
    'NEL: {"report_to":"default","max_age":86400}',
  ].join("\n");
}
