/** The clock of all tests: the only module of the tests that reads the time. */

/**
 * When the tests of the projects `core` and `worker` take place, whatever the machine's clock
 * shows: half an hour after the reports of `createReport`.
 */
export const START_MS = Date.UTC(2026, 10, 21, 17, 30, 0);

/**
 * The time of this test, in ms since 1970. In the projects `core` and `worker` it is `START_MS` and
 * the time since the first test began; tests may set it forward. The projects on the built product
 * share the machine's clock with workerd and the browser: their tests compare times with this one,
 * never with a fixed day.
 */
export function readNowMs(): number {
  return Date.now();
}
