/** The storage of one project as the Worker uses it. */
import type { Bindings } from "../../bindings.ts";
import type { ReportWriter } from "../../core/ports/storage-ports.ts";
import {
  type AlertsApi,
  connectProject,
  type SourceMapsApi,
  type StoreOptions,
} from "../objects.ts";
import { createProjectAdmin, type ProjectAdmin } from "./project-admin.ts";
import { createProjectStore, type ProjectStore } from "./project-store.ts";
import { createReportWriter, type ReportWriterOptions } from "./report-writer.ts";
import { type ArtifactUploads, createSourceMapClient } from "./source-map-client.ts";

/** Each method rejects while an object that it needs is unavailable. */
export interface ProjectStorage {
  readonly reportWriter: ReportWriter;
  readonly projectStore: ProjectStore;
  readonly projectAdmin: ProjectAdmin;
  readonly alerts: AlertsApi;
  readonly sourceMaps: SourceMapsApi;
  readonly artifactUploads: ArtifactUploads;
  /**
   * Opens a WebSocket that sends new events as JSON arrays of `LiveEvent`s until `endsMs`. Responds
   * with 429 if `holder` has `limits.maxLiveStreams`. Rejects while the index is unavailable.
   */
  readonly connectLiveSocket: (endsMs?: number, holder?: string) => Promise<Response>;
  /**
   * Closes all live sockets, so that clients must be authorized again. Rejects while the index is
   * unavailable.
   */
  readonly closeLiveSockets: () => Promise<void>;
}

interface StorageOptions extends StoreOptions, ReportWriterOptions {
  /** Whether the project may have source maps or facts of releases. */
  readonly hasArtifacts: () => Promise<boolean>;
}

/** Opens the storage of a project, which may not exist. Makes no call. */
export function openStorage(bindings: Bindings, options: StorageOptions): ProjectStorage {
  const { index, alerts } = connectProject(() => bindings, options);
  const drainSpool = async () => options.spool?.drain({ includeRecent: true }) ?? 0;
  return {
    reportWriter: createReportWriter(bindings, options),
    projectStore: createProjectStore(bindings, options),
    projectAdmin: createProjectAdmin(bindings, { ...options, drainSpool }),
    alerts,
    ...createSourceMapClient(bindings, options),
    // The index reads only the query of the URL.
    connectLiveSocket: (endsMs, holder = "") =>
      index.fetch(`https://index/?endsMs=${endsMs ?? ""}&holder=${holder}`, {
        headers: { Upgrade: "websocket" },
      }),
    closeLiveSockets: () => index.closeLiveSockets(),
  };
}
