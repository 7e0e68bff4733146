/**
 * The entry of the build: the Worker, which answers its main pages once before the first request
 * (`warm-up/warm-up.ts`).
 */
import { handleRequest } from "./app.ts";
import { openServices } from "./open-services.ts";
import { isCollecting } from "./render/react/patch-scheduling.ts";
import { RECORDING } from "./warm-up/recording.ts";
import { warmUp } from "./warm-up/warm-up.ts";

export {
  AlertSender,
  default,
  Errata,
  ProjectIndex,
  Registry,
  ReportLog,
  SourceMaps,
} from "./worker.ts";

const CONTEXT: Pick<ExecutionContext, "waitUntil" | "passThroughOnException"> = {
  waitUntil: () => undefined,
  passThroughOnException: () => undefined,
};

await warmUp({
  recording: RECORDING,
  isCollecting,
  answer: (request, bindings, platform) =>
    handleRequest(request, openServices(bindings, platform), CONTEXT as ExecutionContext),
});
