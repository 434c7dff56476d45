// The program's side of run-in-process.ts.
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';

/** Reads the input of the program. */
export function readInput(): Promise<Buffer> {
  return buffer(process.stdin);
}

/** Writes the result of the program, and ends it. */
export async function writeLines(lines: Iterable<unknown>): Promise<void> {
  for (const line of lines) if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
  process.stdout.write('\n', () => process.exit());
}
