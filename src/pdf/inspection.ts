// Looks at the PDF on standard input and says on standard output what it is, as a line of JSON. A process of its own: what it is
// given was made by strangers.
import { buffer } from 'node:stream/consumers';
import { judgePdf } from './judge-pdf.ts';

const answer = `${JSON.stringify(await judgePdf(await buffer(process.stdin)))}\n`;
process.stdout.write(answer, () => process.exit());
