/**
 * `/self-test`: triggers every kind of failure and links each to its digest. `POST
 * /self-test/remove` erases the issues that it caused. Forms or JSON.
 */
import type { IssueSummary } from "../../../core/issue/issue.ts";
import { parseIssueQuery } from "../../../core/issue/issue-query.ts";
import { INJECTION_PATH } from "../../../core/report/injection-report.ts";
import { SELF_TEST_QUERY } from "../../../core/report/self-reports.ts";
import type { Digest } from "../../../core/report.ts";
import { ok } from "../../../core/result.ts";
import { assets } from "../../../render/assets.ts";
import type { ProjectStore } from "../../../store/client/project-store.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { SelfTestKindPage } from "../../../ui/setup/self-test-kind-page.tsx";
import { findSelfTestKind, SELF_TEST_KINDS } from "../../../ui/setup/self-test-kinds.ts";
import { SelfTestPage } from "../../../ui/setup/self-test-page.tsx";
import { SelfTestStage, type StagePromises } from "../../../ui/setup/self-test-stage.tsx";
import type { AppContext } from "../../context.ts";
import { respondToAction } from "../../forms/respond.ts";
import { ignoreRejection, type PageOptions, sendPage } from "../../send-page.tsx";
import { serveInjectionTest } from "./injection-test.tsx";

/** By then the shell has been flushed, on any machine. */
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

/** Triggers one kind of failure, or shows the report that commands an agent. */
export async function serveSelfTestKind(c: AppContext): Promise<Response> {
  if (c.req.path === INJECTION_PATH) return serveInjectionTest(c);
  const kind = findSelfTestKind(c.req.param("kind") ?? "");
  if (kind === undefined) return c.notFound();
  const page: PageOptions = {
    title: `Self-test: ${kind.title}`,
    // The path, not the pattern: each kind needs a separate issue, and thrown `null` has only a
    // route.
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
  const later = scheduler.wait(FLUSH_DELAY_MS);
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

/**
 * Starts to erase the issues that self-tests caused. Redirects to the page; JSON:
 * 202 `{"erasing":<issues>}`. Otherwise see `respondToAction`.
 */
export function removeSelfTests(c: AppContext): Promise<Response> {
  const { projectStore, projectAdmin } = c.get("services");
  return respondToAction(c, async () => {
    const digests: Digest[] = [];
    let page = await projectStore.listIssues(SELF_TESTS);
    digests.push(...selectSelfTests(page.issues));
    while (page.next !== undefined) {
      page = await projectStore.listIssues(SELF_TESTS, page.next);
      digests.push(...selectSelfTests(page.issues));
    }
    for (const digest of digests) await projectAdmin.eraseIssue(digest);
    const body = { erasing: digests.length };
    return ok({ body, redirectTo: "/self-test#recent", status: 202 });
  });
}

const SELF_TESTS = parseIssueQuery(SELF_TEST_QUERY);

async function listRecentSelfTests(desk: ProjectStore): Promise<readonly IssueSummary[]> {
  const { issues } = await desk.listIssues(SELF_TESTS);
  return issues.filter(isOwn);
}

function selectSelfTests(issues: readonly IssueSummary[]): readonly Digest[] {
  return issues.filter(isOwn).map(({ digest }) => digest);
}

/** Other noise may have the same tags: any sender can set them. */
function isOwn({ noise }: IssueSummary): boolean {
  return noise === "errata";
}
