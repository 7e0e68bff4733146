/**
 * Where the secrets are in the settings of alerts: the token and the secret of each tracker, and
 * every text in the settings of a destination, because the address of a webhook is a secret too. A
 * new kind of destination is covered. Mail addresses are lists, and stay readable.
 */
import {
  type Destination,
  hasSealedSetting,
} from "../../../core/alerts/destinations/destinations.ts";
import { isSealed, LOST_SECRET } from "../../../core/secrets/sealed-text.ts";
import type { Tracker } from "../../../core/trackers/tracker.ts";
import type { ChangeSecret, SecretBox } from "./secret-box.ts";

/** The parts of the settings that have secrets. */
interface WithSecrets {
  readonly destinations: readonly Destination[];
  readonly trackers?: readonly Tracker[] | undefined;
}

/** The settings with each secret replaced. */
function changeSecrets<T extends WithSecrets>(settings: T, change: ChangeSecret): T {
  const { destinations, trackers } = settings;
  return {
    ...settings,
    destinations: destinations.map((one) => changeDestinationSecrets(one, change)),
    ...(trackers && { trackers: trackers.map((one) => changeTrackerSecrets(one, change)) }),
  };
}

/** The destination with each secret replaced. */
export function changeDestinationSecrets(
  destination: Destination,
  change: ChangeSecret,
): Destination {
  const { id, settings } = destination;
  const changed = Object.entries(settings).map(([name, value]) => [
    name,
    name === "kind" || typeof value !== "string" ? value : change(value, ["destination", id, name]),
  ]);
  return { ...destination, settings: Object.fromEntries(changed) as typeof settings };
}

function changeTrackerSecrets(tracker: Tracker, change: ChangeSecret): Tracker {
  const { id, token, secret } = tracker;
  return {
    ...tracker,
    token: change(token, ["tracker", id, "token"]),
    ...(secret !== undefined && { secret: change(secret, ["tracker", id, "secret"]) }),
  };
}

/** The settings as they are stored. */
export function sealSettings<T extends WithSecrets>(settings: T, box: SecretBox): T {
  return changeSecrets(settings, (text, owner) => box.seal(text, owner));
}

/** Settings with their secrets; `isOutdated` if the next save stores them in another way. */
interface OpenedSettings<T> {
  readonly settings: T;
  readonly isOutdated: boolean;
}

/**
 * The settings with their secrets. They are outdated if a secret was stored as it was entered, or
 * with another key than that of new ones. A destination whose secrets cannot be read is disabled,
 * and is enabled again when they can be read.
 */
export function openSettings<T extends WithSecrets>(
  stored: T,
  box: SecretBox,
  nowMs: number,
): OpenedSettings<T> {
  let isOutdated = false;
  const opened = changeSecrets(stored, (text, owner) => {
    const secret = box.open(text, owner);
    isOutdated ||= !isSealed(secret) && !box.isCurrent(text);
    return secret;
  });
  const destinations = opened.destinations.map((one) => {
    const marked = markLost(one, nowMs);
    isOutdated ||= marked !== one;
    return marked;
  });
  return { settings: { ...opened, destinations }, isOutdated };
}

/** The destination with its secrets; disabled if they cannot be read. */
export function openDestination(
  destination: Destination,
  box: SecretBox,
  nowMs: number,
): Destination {
  const opened = changeDestinationSecrets(destination, (text, owner) => box.open(text, owner));
  return markLost(opened, nowMs);
}

function markLost(destination: Destination, nowMs: number): Destination {
  const { disabled, ...enabled } = destination;
  const isLost = hasSealedSetting(destination.settings);
  if (isLost && disabled === undefined)
    return { ...destination, disabled: { atMs: nowMs, reason: LOST_SECRET } };
  return !isLost && disabled?.reason === LOST_SECRET ? enabled : destination;
}
