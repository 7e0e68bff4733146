/** A page with Errata's own reporter that throws as many errors as the reporter sends. */
import { startErrata } from "../../../src/adapters/browser.ts";

/** The reporter's limit for each page view. */
const ERRORS = 10;
const INTERVAL_MS = 50;

startErrata({ release: document.querySelector("meta")?.dataset.release });

for (let n = 0; n < ERRORS; n++) {
  setTimeout(() => {
    const error = new Error(`the page is broken in its own way: ${"details ".repeat(400)}`);
    error.name = `Own${String.fromCharCode(65 + n)}Error`;
    throw error;
  }, n * INTERVAL_MS);
}
