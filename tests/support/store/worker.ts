/** The Worker of the project `worker`: src/worker.ts, with the starts of its objects noted. */
import * as worker from "#src/worker.ts";
import { noteStarts } from "./started-objects.ts";

export default worker.default;
export const ReportLog = noteStarts("REPORT_LOG", worker.ReportLog);
export const ProjectIndex = noteStarts("PROJECT_INDEX", worker.ProjectIndex);
export const SourceMaps = noteStarts("SOURCE_MAPS", worker.SourceMaps);
export const AlertSender = noteStarts("ALERT_SENDER", worker.AlertSender);
export const Registry = noteStarts("REGISTRY", worker.Registry);
