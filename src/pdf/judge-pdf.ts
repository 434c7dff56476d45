import { findActiveContent } from './active-content.ts';
import type { Inspection } from './inspect-pdf.ts';
import { findFault } from './structure.ts';

const MAX_PAGES = 10_000;
/** Check the first 100 pages, then a sample of about 100 others, then the last: enough to see that the pages are real. */
const PAGES_LOOKED_AT = 100;
const OTHERS_LOOKED_AT = 100;
/** What PDF.js says when it has to guess where the parts of a file are. */
const REPAIRED = /Indexing all PDF objects/;

/** Reads a file as a PDF. What a stranger made may take all time and memory that there is, and leaves the console changed. */
export async function judgePdf(file: Buffer): Promise<Inspection> {
  const fault = await findFault(file);
  if (fault) return { fault };
  // Loaded for what may be a PDF alone: it is what takes the most time here.
  const { getDocumentProxy } = await import('unpdf');
  let repaired = false;
  // The reader says so there and nowhere else.
  // eslint-disable-next-line no-console
  console.log = console.warn = (message: unknown) => {
    repaired ||= REPAIRED.test(String(message));
  };
  try {
    // Told last, for of an encrypted file it sees half; looked for first, for PDF.js takes the bytes away.
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
