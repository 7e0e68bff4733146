// The parts of a configuration of workerd, as Cap'n Proto text (workerd/workerd.capnp).

export function formatText(value: string): string {
  return JSON.stringify(value);
}

/** A value of JSON, as text. */
export function formatJson(value: unknown): string {
  return `json = ${formatText(JSON.stringify(value))}`;
}

export function formatList(items: readonly string[]): string {
  return `[${items.join(", ")}]`;
}

export function formatSocket(name: string, address: string, protocol: string, service: string) {
  return `(name = ${formatText(name)}, address = ${formatText(address)}, ${protocol}, service = ${formatText(service)})`;
}

export function formatService(name: string, kind: string): string {
  return `(name = ${formatText(name)}, ${kind})`;
}

/** A service for the files of a folder. */
export function formatDisk(path: string, writable: boolean): string {
  return `disk = (path = ${formatText(path)}, writable = ${writable})`;
}

/** A module of a file beside the configuration. */
export function formatModule(name: string, kind = "esModule"): string {
  return `(name = ${formatText(name)}, ${kind} = embed ${formatText(name)})`;
}

export function formatBinding(name: string, value: string): string {
  return `(name = ${formatText(name)}, ${value})`;
}
