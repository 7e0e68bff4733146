// The processes of the rounds, with the issues that pages show.

import { showProgress } from "../command/progress.ts";
import { createMixEvent } from "../reports/mix-events.ts";
import { createId } from "../reports/names.ts";
import type { Ask } from "../rig/requests.ts";
import { type Rig, startRig, startServed } from "../rig/rig.ts";
import type { Sender } from "../rig/sender.ts";
import type { Case } from "./cases.ts";
import type { Acknowledged } from "./find.ts";
import type { Played } from "./lines.ts";
import { seedMappedIssue } from "./mapped-issue.ts";
import { createPlayer, type Player } from "./player.ts";
import type { Revision } from "./workers.ts";

/** Two events for each of the hundred issues. */
const SEEDED_EVENTS = 200;

export interface Stage {
  rig: Rig;
  seeded: Acknowledged | null;
  /** The digest of an issue whose frames are resolved; "" if no case shows it. */
  mapped: string;
}

/** A case of a revision on its stage. */
export interface Contestant extends Played {
  player: Player;
  stage: Stage;
}

interface Options {
  cases: readonly Case[];
  revisions: readonly Revision[];
  sender: Sender;
}

/** Starts a process for each rig and seeds it. Fills `stages` even if a start fails. */
export async function startAll(
  { cases, revisions, sender }: Options,
  stages: Map<string, Stage>,
): Promise<Contestant[]> {
  const contestants: Contestant[] = [];
  for (const one of cases) {
    for (const { name: of, tree, workers } of revisions) {
      const file = workers[one.worker];
      if (file === undefined) continue;
      const rigName = of === "this" ? one.rig : `${one.rig}, other`;
      let stage = stages.get(rigName);
      if (stage === undefined) {
        showProgress(`start: ${rigName}`);
        const rig = one.worker === "start" ? await startServed() : await startRig(file, tree);
        stage = { rig, seeded: null, mapped: "" };
        stages.set(rigName, stage);
      }
      if (one.isSeeded) stage.seeded ??= await seed(stage.rig);
      const ask = await fillPath(one.ask, stage);
      const player = createPlayer(sender, stage.rig.port, ask);
      contestants.push({ case: one, of, stage, player, rounds: new Map() });
    }
  }
  return contestants;
}

/** Replaces `{digest}` and `{mapped}` in the path of a page. */
async function fillPath(ask: Ask, stage: Stage): Promise<Ask> {
  if (ask.kind !== "page") return ask;
  const [[digest = ""] = []] = stage.seeded?.digests ?? [];
  const isMapped = ask.path.includes("{mapped}");
  if (isMapped && stage.mapped === "") stage.mapped = await seedMappedIssue(stage.rig);
  const path = ask.path.replace("{digest}", digest).replace("{mapped}", stage.mapped);
  return { ...ask, path };
}

/** Sends events of a hundred issues, one after another, so that each rig has the same list. */
async function seed(rig: Rig): Promise<Acknowledged> {
  const ids = Array.from({ length: SEEDED_EVENTS }, (_, n) => createId(3, `seed ${n}`));
  const digests = new Map<string, number>();
  for (const [n, id] of ids.entries()) {
    const { status, outcomes } = await rig.client.post(createMixEvent("hundred", n, id));
    if (status !== 200) throw new Error(`An event was answered with ${status}.`);
    for (const { digest } of outcomes) digests.set(digest, (digests.get(digest) ?? 0) + 1);
  }
  await rig.rest();
  return { failed: 0, digests: [...digests], ids };
}

/** Rejects unless each page is whole, and both renderers of the fixture give the same bytes. */
export async function assertPages(contestants: readonly Contestant[]): Promise<void> {
  const pages = new Map<string, string>();
  for (const { case: played, of, player, stage } of contestants) {
    const { ask } = player;
    if (ask.kind !== "page") continue;
    const response = await fetch(`http://127.0.0.1:${stage.rig.port}${ask.path}`, {
      headers: { accept: "text/html" },
      redirect: "manual",
    });
    const page = await response.text();
    const isHtml = response.headers.get("content-type")?.startsWith("text/html") ?? false;
    const isWhole = !isHtml || page === "" || page.includes("</html>");
    if (response.status !== (ask.status ?? 200) || !isWhole) {
      throw new Error(
        `${played.name}: ${ask.path} was answered with ${response.status}, or not whole.`,
      );
    }
    if (of === "this") pages.set(played.name, page);
  }
  const [own, plain] = ["fixture", "fixture-plain"].map((name) => pages.get(name));
  if (own !== undefined && plain !== undefined && own !== plain) {
    throw new Error("The two renderers give different pages.");
  }
}
