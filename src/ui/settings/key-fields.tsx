/** The form fields of an ingest key: name, allowed origins and rate limit. */

import { type IngestKey, KEY_RATES } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { formatNumber } from "../parts/number.tsx";

/** The fields, filled in from `ingestKey` or empty. */
export function KeyFields({
  ingestKey: { name, origins, perMinute } = { name: "", origins: [] },
}: {
  readonly ingestKey?: Pick<IngestKey, "name" | "origins" | "perMinute">;
}) {
  return (
    <>
      <label>
        <span>Name</span>
        <input
          name="name"
          type="text"
          required
          maxLength={limits.maxProjectNameChars}
          defaultValue={name}
          placeholder="Web shop"
          autoComplete="off"
          dir="auto"
        />
      </label>
      <label>
        <span>
          Allowed origins, one per line. Leave empty to allow all. Servers are always allowed.
        </span>
        <textarea
          name="origins"
          rows={2}
          defaultValue={origins.join("\n")}
          placeholder={"https://shop.example\nhttps://*.shop.example"}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <label>
        <span>Rate limit, per Cloudflare location</span>
        <select name="perMinute" defaultValue={perMinute ?? ""}>
          <option value="">No limit</option>
          {KEY_RATES.map((rate) => (
            <option key={rate} value={rate}>
              {formatNumber(rate)} requests per minute
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
