/** Mail to addresses. The store sends it through the binding of the platform. */
import { ok } from "../../result.ts";
import { alertLimits } from "../alert-limits.ts";
import { refuse } from "../decode.ts";
import type { KindDefinition, SettingsOf } from "./kind.ts";

/** RFC 5321 § 4.5.3.1.3. */
const MAX_ADDRESS_CHARS = 254;
const ADDRESS = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+\.[^\s@<>()[\],;:"\\.]+$/;
/** Control characters, and invisible ones that turn or hide parts of an address. */
const UNSEEN_CHARS = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;

export const email: KindDefinition<SettingsOf<"email">> = {
  read: (field) => ({
    kind: "email",
    to: field("to")
      .split(/[\s,;]+/)
      .filter((address) => address !== ""),
  }),
  check({ to }) {
    if (to.length === 0) return refuse("Enter at least one email address.");
    const { maxRecipients } = alertLimits;
    if (to.length > maxRecipients) return refuse(`At most ${maxRecipients} addresses.`);
    const areValid = to.every(
      (address) =>
        address.length <= MAX_ADDRESS_CHARS && ADDRESS.test(address) && !UNSEEN_CHARS.test(address),
    );
    return areValid ? ok(undefined) : refuse("Enter email addresses such as ada@example.com.");
  },
  describeTarget: ({ to }) => to.join(", "),
  hasSummaries: true,
};
