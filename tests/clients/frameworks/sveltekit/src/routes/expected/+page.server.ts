import { error } from "@sveltejs/kit";

export function load(): never {
  error(503, "The tea house is closed");
}
