// The program that reads emails from the bounce mailbox; see read-mail.ts.
import { readFrames } from '../../limits/input-frames.ts';
import { readInput, writeLines } from '../../limits/process-output.ts';
import { type BounceMail, readBounceMail } from './read-bounce.ts';

const results: (BounceMail | null)[] = [];
for (const source of readFrames(await readInput())) results.push(await readBounceMail(source).catch(() => null));
await writeLines(results);
