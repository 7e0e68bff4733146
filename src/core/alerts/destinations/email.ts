/** Mail to addresses, by the binding of the platform. Pure. */
import * as v from "valibot";
import { list } from "../../schema/stored-object.ts";
import { alertLimits } from "../alert-limits.ts";
import { toEmailBody } from "../formats/mail/email-body.ts";
import { defineDestination, type SettingField } from "./destination-kind.ts";

const ADDRESS = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+\.[^\s@<>()[\],;:"\\.]+$/;
/** Control characters, and invisible ones that turn or hide parts of an address. */
const UNSEEN_CHARS = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;
const NO_ADDRESS = "Enter email addresses such as ada@example.com.";

const { maxRecipients, maxAddressChars } = alertLimits;
const TO: SettingField = { label: "Addresses", placeholder: "ada@example.com", isList: true };

const addressSchema = v.pipe(
  v.string(NO_ADDRESS),
  v.maxLength(maxAddressChars, NO_ADDRESS),
  v.regex(ADDRESS, NO_ADDRESS),
  v.check((address) => !UNSEEN_CHARS.test(address), NO_ADDRESS),
);

/** True for an address that mail can be sent to, as far as its form tells. */
export function isMailAddress(text: string): boolean {
  return v.is(addressSchema, text);
}

export const email = defineDestination({
  kind: "email",
  label: "Email",
  noun: "email",
  hint: "The deployment needs the binding EMAIL.",
  settings: {
    to: v.pipe(
      list(addressSchema),
      v.minLength(1, "Enter at least one email address."),
      v.maxLength(maxRecipients, `At most ${maxRecipients} addresses.`),
      v.metadata({ field: TO }),
    ),
  },
  describeTarget: ({ to }) => to.join(", "),
  createCall: ({ to }, message) => ({ kind: "mail", to, mail: toEmailBody(message) }),
  hasSummaries: true,
});
