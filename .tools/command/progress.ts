/** Shows the current step on stderr, in one line that the next step replaces; "" clears it. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
  else if (text) process.stderr.write(`${text}\n`);
}
