import { findActiveContent } from './active-content.ts';
import type { Inspection } from './inspect-pdf.ts';
import { findFault } from './structure.ts';

const MAX_PAGES = 10_000;
/**
 * Number of pages at the start whose existence is checked. A sample of about `OTHERS_LOOKED_AT` others and the last
 * page are checked as well.
 */
const PAGES_LOOKED_AT = 100;
const OTHERS_LOOKED_AT = 100;
/** Message that PDF.js prints when it has to guess the positions of a file's parts. */
const REPAIRED = /Indexing all PDF objects/;

/**
 * Judges a file as a PDF. Must run in a separate process: a stranger's file can use up all time and memory, and this
 * function replaces methods of the console.
 */
export async function judgePdf(file: Buffer): Promise<Inspection> {
  const fault = await findFault(file);
  if (fault) return { fault };
  // Loaded only for files that could be PDFs, since loading takes most of the time here.
  const { getDocumentProxy } = await import('unpdf');
  let repaired = false;
  // PDF.js reports repairs only on the console.
  // eslint-disable-next-line no-console
  console.log = console.warn = (message: unknown) => {
    repaired ||= REPAIRED.test(String(message));
  };
  try {
    // Active content is reported last, because the search sees only part of an encrypted file. The search runs first,
    // because PDF.js detaches the bytes.
    const active = findActiveContent(file);
    const pdf = await getDocumentProxy(new Uint8Array(file.buffer, file.byteOffset, file.length), {
      verbosity: 1,
      stopAtErrors: true,
    });
    const { info } = await pdf.getMetadata();
    if ((info as { EncryptFilterName?: string | null }).EncryptFilterName) return { fault: 'is encrypted' };
    if (pdf.numPages > MAX_PAGES) return { fault: `has more than ${MAX_PAGES} pages` };
    for (const page of pagesToLookAt(pdf.numPages)) await pdf.getPage(page);
    if (repaired) return { fault: 'is damaged' };
    if (pdf.numPages === 0) return { fault: 'has no pages' };
    return active === undefined ? { pageCount: pdf.numPages } : { fault: active };
  } catch (error) {
    return { fault: (error as Error).name === 'PasswordException' ? 'is encrypted' : 'is damaged' };
  }
}

function* pagesToLookAt(count: number): Generator<number> {
  const step = Math.max(1, Math.ceil((count - PAGES_LOOKED_AT) / OTHERS_LOOKED_AT));
  for (let page = 1; page < count; page += page < PAGES_LOOKED_AT ? 1 : step) yield page;
  if (count > 0) yield count;
}
