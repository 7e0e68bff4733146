/** The form fields of an ingest key: name, rate limit, and allowed origins of a public key. */

import { type IngestKey, KEY_RATES } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { formatNumber } from "../parts/number.tsx";
import { NameField } from "./name-field.tsx";

interface KeyFieldsProps extends Partial<Pick<IngestKey, "name" | "perMinute">> {
  readonly kind: IngestKey["kind"];
  readonly origins?: readonly string[];
}

/** The fields, filled in from the props of a key or empty. */
export function KeyFields({ kind, name, origins = [], perMinute }: KeyFieldsProps) {
  const isPublic = kind === "public";
  return (
    <>
      <NameField
        maxLength={limits.maxProjectNameChars}
        defaultValue={name}
        placeholder={isPublic ? "Web shop" : "Shop server"}
      />
      {isPublic && (
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
      )}
      <label>
        <span>Rate limit, per Cloudflare location</span>
        <select name="perMinute" defaultValue={perMinute ?? ""}>
          <option value="">No limit</option>
          {KEY_RATES.map((rate) => (
            <option key={rate} value={rate}>
              {formatNumber(rate)} reports per minute
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
