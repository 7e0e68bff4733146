/** `/self-test`: triggers every kind of failure and leads from each to its digest. */
import type { IssueSummary } from "../../../core/issue/issue.ts";
import type { ProjectStore } from "../../../core/ports/storage-ports.ts";
import { assets } from "../../../render/assets.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { SelfTestKindPage } from "../../../ui/setup/self-test-kind-page.tsx";
import { findSelfTestKind, SELF_TEST_KINDS } from "../../../ui/setup/self-test-kinds.ts";
import { SelfTestPage } from "../../../ui/setup/self-test-page.tsx";
import { SelfTestStage, type StagePromises } from "../../../ui/setup/self-test-stage.tsx";
import type { AppContext } from "../../context.ts";
import { ignoreRejection, type PageOptions, sendPage } from "../../send-page.tsx";

/** The shell has been flushed by then, on any machine. */
const FLUSH_DELAY_MS = 300;
const SELF_TEST_DEADLINE_MS = 1_500;

/** Lists all kinds of failures, and the issues they have caused. */
export function serveSelfTest(c: AppContext): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  return sendPage(c, {
    title: "Self-test",
    route: "/self-test",
    content: (
      <Layout current="self-test" isSignedIn>
        <SelfTestPage
          kinds={SELF_TEST_KINDS}
          recent={ignoreRejection(listRecentSelfTests(projectStore))}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
}

/** Triggers one kind of failure. */
export async function serveSelfTestKind(c: AppContext): Promise<Response> {
  const kind = findSelfTestKind(c.req.param("kind") ?? "");
  if (kind === undefined) return c.notFound();
  const page: PageOptions = {
    title: `Self-test: ${kind.title}`,
    // Not the pattern: each kind must be grouped by itself, and thrown `null` has only its route.
    route: `/self-test/${kind.kind}`,
    deadlineMs: SELF_TEST_DEADLINE_MS,
    script: assets.selfTest,
    content: (
      <Layout current="self-test" isSignedIn>
        <SelfTestKindPage kind={kind}>
          <SelfTestStage kind={kind.kind} times={createStagePromises()} />
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

function createStagePromises(): StagePromises {
  const later = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_DELAY_MS));
  return {
    later,
    rejects: ignoreRejection(
      later.then(function refuseLate(): never {
        throw new Error("self-test: a promise rejected late");
      }),
    ),
    never: new Promise<never>(() => undefined),
  };
}

async function listRecentSelfTests(desk: ProjectStore): Promise<readonly IssueSummary[]> {
  const { issues } = await desk.listNewestIssues();
  return issues.filter(
    ({ message, route }) => message.includes("self-test") || route?.startsWith("/self-test/"),
  );
}
