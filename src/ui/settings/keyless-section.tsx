/** The setting for reports without a key. Only the first project receives them. */
import type { Project } from "../../core/accounts/registry.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { SettingsSection } from "./section.tsx";

const MODES = [
  ["accept", "Accept all"],
  ["origins", "Accept from these origins only"],
  ["require", "Require a key"],
] as const;

export function KeylessReports({ project: { keylessOrigins } }: { readonly project: Project }) {
  const selected =
    keylessOrigins === undefined ? "accept" : keylessOrigins.length === 0 ? "require" : "origins";
  return (
    <SettingsSection
      id="keyless"
      name="Reports without a key"
      description="Anyone can send reports to /monitoring without a key, because pages cannot keep a key secret."
    >
      <DeskForm
        requiredRole="owner"
        method="post"
        action="/settings#keyless"
        className="form-stack"
      >
        <input type="hidden" name="do" value="set-keyless" />
        <fieldset>
          <legend className="visually-hidden">Reports without a key</legend>
          {MODES.map(([mode, text]) => (
            <label key={mode} className="choice">
              <input type="radio" name="keyless" value={mode} defaultChecked={mode === selected} />{" "}
              <span>{text}</span>
            </label>
          ))}
        </fieldset>
        <label>
          <span>Origins, one per line. Errata’s own pages are always allowed.</span>
          <textarea
            name="origins"
            rows={2}
            defaultValue={keylessOrigins?.join("\n")}
            placeholder={"https://shop.example\nhttps://*.shop.example"}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <button type="submit" id="set-keyless">
          Save
        </button>
      </DeskForm>
    </SettingsSection>
  );
}
