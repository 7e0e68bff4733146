import { decodeChunk } from "#src/store/kv/chunk.ts";
import { bindings } from "./store.ts";

/** Every key of KV with its value as text, one line for each; chunks are decompressed. */
export async function dumpKv(): Promise<string> {
  const { keys } = await bindings.KV.list();
  const values = keys.map(async ({ name }) => {
    const bytes = (await bindings.KV.get(name, "arrayBuffer")) ?? new ArrayBuffer();
    const text = name.startsWith("chunk/")
      ? (await decodeChunk(bytes)).join("\n")
      : new TextDecoder().decode(bytes);
    return `${name} ${text}`;
  });
  return (await Promise.all(values)).join("\n");
}
