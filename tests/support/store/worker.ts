/** The Worker of the project `worker`: src/worker.ts, with the starts of its objects noted. */
import * as worker from "#src/worker.ts";
import { noteStarts } from "./started-objects.ts";

export default worker.default;
export const ReportLog = noteStarts("log", worker.ReportLog);
export const ProjectIndex = noteStarts("index", worker.ProjectIndex);
export const SourceMaps = noteStarts("sourceMaps", worker.SourceMaps);
export const AlertSender = noteStarts("alerts", worker.AlertSender);
export const Registry = noteStarts("registry", worker.Registry);
