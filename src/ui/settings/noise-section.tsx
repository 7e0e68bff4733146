/** The section with the noise rules of a project. */
import type { Project } from "../../core/accounts/registry.ts";
import { SWITCHABLE_NOISE_RULES, type SwitchableNoiseRule } from "../../core/noise/noise-rules.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { SettingsSection } from "./settings-section.tsx";

/** The errors that each rule matches. */
const RULE_TEXTS: Readonly<Record<SwitchableNoiseRule, string>> = {
  extension: "Browser extensions and the browser itself: their scripts, messages and pages.",
  injected:
    "Scripts that apps, carriers, advertisers, link scanners and security software add to pages.",
  translated: "Pages that a translator changed, and the scripts of translators.",
};

/** The form that switches the rules on and off. */
export function NoiseRules({ project: { disabledNoiseRules = [] } }: { project: Project }) {
  return (
    <SettingsSection
      id="noise"
      name="Noise"
      description={
        <>
          Browser errors that your pages did not cause are counted and hidden from the list. If a
          rule is off, new reports that match it are ordinary. See{" "}
          <a href="/docs/ingest-formats#noise">noise</a>.
        </>
      }
    >
      <DeskForm requiredRole="owner" method="post" action="/settings#noise" className="form-stack">
        <input type="hidden" name="do" value="set-noise-rules" />
        <fieldset>
          <legend className="visually-hidden">Noise rules</legend>
          {SWITCHABLE_NOISE_RULES.map((rule) => (
            <label key={rule} className="choice">
              <input
                type="checkbox"
                name={rule}
                defaultChecked={!disabledNoiseRules.includes(rule)}
              />{" "}
              <span>
                <b>{rule}</b>: {RULE_TEXTS[rule]}
              </span>
            </label>
          ))}
        </fieldset>
        <button type="submit" id="set-noise-rules">
          Save
        </button>
      </DeskForm>
    </SettingsSection>
  );
}
