import type { PDFDocument } from '@cantoo/pdf-lib';
import { bytesOf, deflatedOf, ONE_PAGE, pdfOf, pdfWithIndexStream, streamOf, written } from './pdf-samples.ts';

const [CATALOGUE, TREE, PAGE] = ONE_PAGE as [string, string, string];

export const LAUNCH = '<</S/Launch/F(calc.exe)>>';
export const SCRIPT = '<</S/JavaScript/JS(app.alert\\(1\\))>>';

/** Appends entries to a dictionary. */
const extended = (dictionary: string, entries: string): string => dictionary.replace(/>>$/, `${entries}>>`);

/** Builds a PDF of one page with entries added to its catalogue and further objects from number 4. */
export function catalogued(entries: string, ...objects: (string | Buffer)[]): Buffer {
  return pdfOf([extended(CATALOGUE, entries), TREE, PAGE, ...objects]);
}

/** Builds a PDF of one page with entries added to its page and further objects from number 4. */
export function paged(entries: string, ...objects: (string | Buffer)[]): Buffer {
  return pdfOf([CATALOGUE, TREE, extended(PAGE, entries), ...objects]);
}

/** Builds a PDF whose page has an annotation, which is object 4. */
export function annotated(annotation: string, ...objects: (string | Buffer)[]): Buffer {
  return paged('/Annots[4 0 R]', `<</Type/Annot/Rect[0 0 9 9]${annotation}>>`, ...objects);
}

/** Builds a PDF with a text field that has the given entries. */
export function withField(entries: string): Buffer {
  const form = '/AcroForm<</Fields[4 0 R]>>';
  return catalogued(form, `<</FT/Tx/T(name)/Subtype/Widget/Rect[0 0 9 9]${entries}>>`);
}

/** Builds a PDF with objects in an object stream, numbered from 4. */
export function packed(
  objects: string[],
  wrap = deflatedOf,
  dictionary = '/Type/ObjStm',
  edit = (text: string) => text,
): Buffer {
  let [numbers, content] = ['', ''];
  objects.forEach((object, index) => {
    numbers += `${index + 4} ${content.length} `;
    content += `${object} `;
  });
  const stream = wrap(
    `${dictionary}/N ${objects.length}/First ${numbers.length}`,
    Buffer.from(edit(numbers + content), 'latin1'),
  );
  const plain = ['<</Type/Catalog/Pages 4 0 R/OpenAction 6 0 R>>', 'null', stream];
  return pdfWithIndexStream(plain, { packed: objects.length, holder: 3 });
}

export const PACKED_PAGE = ['<</Type/Pages/Kids[5 0 R]/Count 1>>', '<</Type/Page/Parent 4 0 R/MediaBox[0 0 9 9]>>'];

/** Builds a PDF with an attached file that its catalogue names. */
export function attaching(name: string, content: Buffer | string = 'text', more: { pack?: boolean } = {}): Buffer {
  const bytes = Buffer.from(content as string, 'latin1');
  const stream = (more.pack === false ? streamOf : deflatedOf)('/Type/EmbeddedFile', bytes);
  const tree = '/Names<</EmbeddedFiles<</Names[(a)5 0 R]>>>>';
  return catalogued(tree, stream, `<</Type/Filespec/F${name}/UF${name}/EF<</F 4 0 R/UF 4 0 R>>>>`);
}

/** Creates a document with @cantoo/pdf-lib, applies `change` and returns its bytes. */
export async function made(change: (document: PDFDocument) => unknown, useObjectStreams = true): Promise<Buffer> {
  const document = await written(2);
  await change(document);
  return bytesOf(document, useObjectStreams);
}
