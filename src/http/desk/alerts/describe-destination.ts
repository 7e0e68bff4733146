/** Describes changes of alert destinations for the audit log: "deleted the destination On call". */
import type { AppContext } from "../../context.ts";
import { readForm } from "../../forms/form-body.ts";
import { parseDestinationForm } from "./alert-forms.ts";

const VERBS = {
  delete: "deleted",
  enable: "enabled",
  rotate: "replaced the secret of",
  summary: "changed the summary for",
} as const;

/** The change of `POST /settings/alerts/destinations`; undefined for an invalid form. */
export async function describeDestinationChange(c: AppContext): Promise<string | undefined> {
  const form = await readForm(c.req.raw, "bad-alert", (fields) => parseDestinationForm(fields, ""));
  if (!form.ok) return undefined;
  if (form.value.do === "restore") return "restored a deleted alert destination";
  if (form.value.do === "save") return `saved the alert destination ${form.value.name}`;
  const { do: action, id } = form.value;
  const { alerts } = c.get("services").forProject(c.get("project"));
  const settings = await alerts.readSettings().catch(() => undefined);
  const known = settings?.destinations.find((one) => one.id === id && one.person === undefined);
  return known && `${VERBS[action]} the alert destination ${known.name}`;
}
