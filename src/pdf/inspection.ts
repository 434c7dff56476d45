// Inspects the PDF on standard input and writes the result to standard output, as a line of JSON. Runs as a separate
// process, because its input comes from strangers.
import { buffer } from 'node:stream/consumers';
import { judgePdf } from './judge-pdf.ts';

const answer = `${JSON.stringify(await judgePdf(await buffer(process.stdin)))}\n`;
process.stdout.write(answer, () => process.exit());
