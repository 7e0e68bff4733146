/** What may be chosen for an ingest key: its name, the origins of the pages that may use it, and its rate. */

import { type IngestKey, KEY_RATES } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { formatNumber } from "../parts/number.tsx";

/** The fields, as they are of a key that there is, or empty. */
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
          Origins of the pages that may use it, one a line; none: all. Servers may always.
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
        <span>Requests a minute that it is good for, in each of Cloudflare’s places</span>
        <select name="perMinute" defaultValue={perMinute ?? ""}>
          <option value="">No limit of its own</option>
          {KEY_RATES.map((rate) => (
            <option key={rate} value={rate}>
              {formatNumber(rate)} a minute
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
