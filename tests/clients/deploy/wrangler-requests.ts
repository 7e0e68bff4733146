/**
 * The requests of wrangler during a deployment, sorted, with the status and the code of the answer.
 * A version of wrangler that sends other ones has to be tried first.
 */

export const FIRST_DEPLOYMENT: readonly string[] = [
  "GET /storage/kv/namespaces 200",
  "GET /workers/scripts/errata/deployments 404 10007",
  "GET /workers/scripts/errata/deployments 404 10007",
  "GET /workers/scripts/errata/secrets 404 10007",
  "GET /workers/scripts/errata/settings 404 10007",
  "GET /workers/services/errata 404 10090",
  "GET /workers/services/errata 404 10090",
  "GET /workers/subdomain 200",
  "GET /workers/subdomain 200",
  "GET /workers/workers/errata 200",
  "POST /storage/kv/namespaces 200",
  "POST /workers/assets/upload 200",
  "POST /workers/scripts/errata/assets-upload-session 200",
  "POST /workers/scripts/errata/subdomain 200",
  "PUT /workers/scripts/errata 200",
  "PUT /workers/scripts/errata/schedules 200",
];

export const SECOND_DEPLOYMENT: readonly string[] = [
  // The versions of the stored data, which the first deployment recorded.
  "GET /storage/kv/namespaces/:id/values/data-versions 404 10009",
  "GET /workers/scripts/errata/deployments 200",
  "GET /workers/scripts/errata/deployments 200",
  "GET /workers/scripts/errata/secrets 200",
  "GET /workers/scripts/errata/settings 200",
  "GET /workers/scripts/errata/versions/:id 200",
  "GET /workers/services/errata 200",
  "GET /workers/services/errata 200",
  "GET /workers/subdomain 200",
  "GET /workers/workers/errata 200",
  "PATCH /workers/scripts/errata/script-settings 200",
  "POST /workers/scripts/errata/assets-upload-session 200",
  "POST /workers/scripts/errata/deployments 200",
  "POST /workers/scripts/errata/subdomain 200",
  "POST /workers/scripts/errata/versions 200",
  "PUT /workers/scripts/errata/schedules 200",
];
