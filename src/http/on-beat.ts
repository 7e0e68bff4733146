/**
 * Answers that leave at fixed beats after the question came: how long it took to find something, or nothing, cannot be told by a
 * clock. A digest that is known here is one read away and another one several, and a stranger may ask for both.
 */

/** The time between two beats: more than a lookup takes, and not long for who reads. */
export const BEAT_MS = 400;

/**
 * What `work` gives, or its rejection, at the first beat after it has ended: work that takes longer than one waits for the next.
 * `beat` resolves after the time between two; it is begun before the work is.
 */
export async function onBeat<T>(beat: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  let next = beat();
  const done = work();
  done.then(end, end);
  for (;;) {
    await next;
    if (isDone) return done;
    next = beat();
  }
}
