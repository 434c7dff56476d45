// Program that reads one email; see find-traces.ts.
import { readInput, writeLines } from '../../../../limits/process-output.ts';
import { readMailTraces } from './mail-traces.ts';

await writeLines([await readMailTraces(await readInput())]);
