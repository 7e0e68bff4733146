/** `/alerts/confirm-email`: the link of the mail that asks whether an address wants the alerts. */
import { FIRST_PROJECT_ID } from "../../../core/accounts/project-path.ts";
import { findProject } from "../../../core/accounts/registry.ts";
import type { SignedAddress } from "../../../core/ports/alerts-port.ts";
import { CONFIRM_EMAIL_PATH } from "../../../core/scrubbing/own-secrets.ts";
import { ConfirmEmailPage } from "../../../ui/alerts/confirm-email-page.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failure-response.ts";
import { isSameOrigin } from "../../forms/csrf.ts";
import { readFormBody } from "../../forms/form-body.ts";
import { toSentText } from "../../forms/validators.ts";
import { admitVisitor } from "../../ingest/admission.ts";
import { sendPage } from "../../send-page.tsx";
import { respondOrUnavailable } from "../../unavailable.ts";

/**
 * Serves the page with the question. It changes nothing, because programs open the links of mails.
 * 404 for a link that was changed or has expired, 429 over the rate limit of receipts. Public.
 */
export function serveEmailConfirmation(c: AppContext): Promise<Response> {
  return respondToLink(c, (name) => c.req.query(name) ?? "", "asked");
}

/** `POST`: confirms the address, by its signature. 403 for a form of another site. */
export async function confirmEmail(c: AppContext): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  const fields = await readFormBody(c.req.raw);
  if (!fields.ok) return toFailureResponse(fields);
  const read = (name: string) => toSentText(fields.value.get(name));
  return respondToLink(c, read, "confirmed");
}

async function respondToLink(
  c: AppContext,
  read: (name: string) => string,
  state: "asked" | "confirmed",
): Promise<Response> {
  const { alerts, registry } = c.get("services");
  const admission = await admitVisitor(c.get("services"), c.req.raw);
  if (!admission.ok) return toFailureResponse(admission);
  const link = { address: read("address"), until: read("until"), signature: read("signature") };
  const signed: SignedAddress = {
    address: link.address,
    untilMs: Number(link.until),
    signature: link.signature,
  };
  return respondOrUnavailable(
    c,
    async () => {
      // An unknown project has the services of the first one.
      const project = findProject(await registry.readCopy(), c.get("project") ?? FIRST_PROJECT_ID);
      const isValid =
        project !== undefined &&
        Number.isSafeInteger(signed.untilMs) &&
        (await (state === "asked" ? alerts.verifyAddress(signed) : alerts.confirmAddress(signed)));
      return sendPage(c, {
        title: isValid ? "Confirm an address" : "Link expired",
        route: CONFIRM_EMAIL_PATH,
        ...(!isValid && { status: 404 }),
        content: (
          <Layout isSignedIn={false}>
            <ConfirmEmailPage state={isValid ? state : "invalid"} link={link} />
          </Layout>
        ),
      });
    },
    "alerts",
  );
}
