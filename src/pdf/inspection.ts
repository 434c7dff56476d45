// Inspects the PDF on standard input. Runs as a separate process, because its input comes from strangers.
import { readInput, writeLines } from '../limits/process-output.ts';
import { judgePdf } from './judge-pdf.ts';

await writeLines([await judgePdf(await readInput())]);
