// The program that reads one email of the bounce mailbox; see read-mail.ts.
import { readInput, writeLines } from '../../limits/process-output.ts';
import { readBounceMail } from './read-bounce.ts';

await writeLines([await readBounceMail(await readInput())]);
