/**
 * Offers notifications on this device. The client script shows it in browsers that support them,
 * after the person has opened an alert, until the person has answered.
 */
import { DeskLink } from "../parts/desk-context.tsx";
import { ALERT_PREFERENCES_URL } from "../urls/alert-urls.ts";

export function PushOffer() {
  return (
    <aside className="callout push-offer" data-push-offer="" aria-label="Notifications" hidden>
      <p>
        <b>Get the next alert on this device.</b> New and regressed issues, and what others assign
        to you.
      </p>
      <p className="form-row-inline">
        <DeskLink className="button" href={`${ALERT_PREFERENCES_URL}#push`}>
          Turn on notifications
        </DeskLink>
        <button type="button" data-dismiss="">
          Not now
        </button>
      </p>
    </aside>
  );
}
