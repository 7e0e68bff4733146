/** `/self-test`: failures on purpose, and the way from each to its digest: the product proves itself in a minute. */
import type { IssueSummary } from "../core/issue.ts";
import type { Desk } from "../core/ports.ts";
import { assets } from "../render/assets.ts";
import { Layout } from "../ui/layout.tsx";
import { SelfTestKindPage } from "../ui/pages/self-test-kind-page.tsx";
import { SelfTestPage } from "../ui/pages/self-test-page.tsx";
import { SELF_TEST_KINDS, selfTestKind } from "../ui/self-test-kinds.ts";
import { SelfTestStage, type StageTimes } from "../ui/self-test-stage.tsx";
import { optional, type Page, sendPage } from "./page.tsx";
import type { AppContext } from "./services.ts";

/** The shell is gone by then, on any machine. */
const LATER_MS = 300;
const SELF_TEST_DEADLINE_MS = 1_500;

/** All kinds, one button each, and what they have led to so far. */
export function selfTest(c: AppContext): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  return sendPage(c, {
    title: "Self-test",
    route: "/self-test",
    content: (
      <Layout current="self-test" deskOpen>
        <SelfTestPage kinds={SELF_TEST_KINDS} recent={optional(recentOf(desk))} nowMs={nowMs()} />
      </Layout>
    ),
  });
}

/** One failure on purpose. */
export async function selfTestKindPage(c: AppContext): Promise<Response> {
  const kind = selfTestKind(c.req.param("kind") ?? "");
  if (kind === undefined) return c.notFound();
  const page: Page = {
    title: `Self-test: ${kind.title}`,
    // Not the pattern: what says nothing by itself (null) is told apart by its route, and each kind is a fault of its own.
    route: `/self-test/${kind.kind}`,
    deadlineMs: SELF_TEST_DEADLINE_MS,
    script: assets.selfTest,
    content: (
      <Layout current="self-test" deskOpen>
        <SelfTestKindPage kind={kind}>
          <SelfTestStage kind={kind.kind} times={stageTimes()} />
        </SelfTestKindPage>
      </Layout>
    ),
    ...(kind.kind === "failure-page" && { failurePage: () => <FailurePageThatFails /> }),
  };
  return sendPage(c, page);
}

function FailurePageThatFails(): never {
  throw new Error("self-test: the failure page threw");
}

function stageTimes(): StageTimes {
  const later = new Promise<void>((resolve) => setTimeout(resolve, LATER_MS));
  return {
    later,
    rejects: optional(
      later.then(function refuseLate(): never {
        throw new Error("self-test: a promise rejected late");
      }),
    ),
    never: new Promise<never>(() => undefined),
  };
}

async function recentOf(desk: Desk): Promise<readonly IssueSummary[]> {
  const { issues } = await desk.newest();
  return issues.filter(
    ({ message, route }) => message.includes("self-test") || route?.startsWith("/self-test/"),
  );
}
