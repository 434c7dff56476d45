/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { bytesOf, deflatedRunOf, ONE_PAGE, pdfOf, pdfWithIndexStream, streamOf, written } from './pdf-samples.ts';
import { upload } from './upload-calls.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const onePage = pdfOf(ONE_PAGE);

async function withEverything(): Promise<Buffer> {
  const document = await written(3);
  const [page] = document.getPages();
  page!.drawImage(await document.embedPng(PIXEL), { x: 10, y: 10, width: 100, height: 100 });
  for (const font of Object.values(StandardFonts).slice(0, 6)) {
    page!.drawText('Acceptable use', { font: await document.embedFont(font) });
  }
  const form = document.getForm();
  form.createTextField('name').addToPage(page!);
  form.createCheckBox('agreed').addToPage(page!);
  return bytesOf(document);
}

async function withAttachment(mib: number): Promise<Buffer> {
  const document = await written(2);
  await document.attach(randomBytes(mib * 1024 * 1024), 'scan.png');
  return bytesOf(document);
}

async function mergedOfTwo(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const other = await PDFDocument.load(await bytesOf(await written(4)));
  for (const page of await document.copyPages(other, [3, 1])) document.addPage(page);
  return bytesOf(document);
}

/** Builds a PDF with an incremental update: a later version of its page after the end of the file. */
function updated(): Buffer {
  const before = onePage.toString('latin1');
  const page = '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>\nendobj\n';
  const row = `${String(before.length).padStart(10, '0')} 00000 n \n`;
  const trailer = `trailer\n<</Size 4/Root 1 0 R/Prev ${/startxref\n(\d+)/.exec(before)![1]}>>\n`;
  const end = `startxref\n${before.length + page.length}\n%%EOF\n`;
  return Buffer.from(`${before}${page}xref\n3 1\n${row}${trailer}${end}`, 'latin1');
}

/** Builds a PDF with the given number of empty pages in one page tree node. */
function flat(pages: number): Buffer {
  const kids = Array.from({ length: pages }, (_, n) => `${n + 3} 0 R`).join(' ');
  return pdfOf([
    ONE_PAGE[0]!,
    `<</Type/Pages/Count ${pages}/Kids[${kids}]>>`,
    ...Array<string>(pages).fill(ONE_PAGE[2]!),
  ]);
}

/** Builds a page with the given number of images of 25 MiB uncompressed, as scanners write them. */
function scans(count: number): Buffer {
  const bytes = deflateSync(Buffer.alloc(25 * 1024 * 1024, 255), { level: 1 });
  const image = '/Type/XObject/Subtype/Image/Width 2480/Height 3508/ColorSpace/DeviceRGB/BitsPerComponent 8';
  return pdfOf([...ONE_PAGE, ...Array<Buffer>(count).fill(streamOf(`${image}/Filter/FlateDecode`, bytes))]);
}

/** Builds a PDF with page trees nested to the given depth. */
function deep(levels: number): Buffer {
  const trees = Array.from({ length: levels }, (_, n) => `<</Type/Pages/Count 1/Kids[${n + 3} 0 R]>>`);
  return pdfOf([ONE_PAGE[0]!, ...trees, `<</Type/Page/Parent ${levels + 1} 0 R/MediaBox[0 0 9 9]>>`]);
}

test.each<[string, number, () => Buffer | Promise<Buffer>]>([
  ['one page', 1, () => onePage],
  ['object streams', 3, async () => bytesOf(await written(3))],
  ['no object streams', 3, async () => bytesOf(await written(3), false)],
  ['a cross-reference stream', 1, () => pdfWithIndexStream(ONE_PAGE)],
  ['500 pages', 500, async () => bytesOf(await written(500))],
  ['2,000 pages', 2000, async () => bytesOf(await written(2000), false)],
  ['10,000 pages', 10_000, () => flat(10_000)],
  ['300 MiB of scans', 1, () => scans(12)],
  ['images, fonts and a form', 3, withEverything],
  ['an attachment', 2, () => withAttachment(1)],
  ['20 MiB', 1, () => pdfOf([...ONE_PAGE, streamOf('', randomBytes(20 * 1024 * 1024))])],
  ['pages copied from another document', 2, mergedOfTwo],
  ['an incremental update', 1, updated],
  ['fifty nested page trees', 1, () => deep(50)],
  ['line endings after its end', 1, () => Buffer.concat([onePage, Buffer.from('\r\n\n')])],
  ['a hundred null bytes after its end', 1, () => Buffer.concat([onePage, Buffer.alloc(100)])],
  ['a leading byte order mark', 1, () => Buffer.concat([Buffer.from('\ufeff'), onePage])],
  ['a page that decompresses to 100 MiB', 1, () => pdfOf([...ONE_PAGE, deflatedRunOf('', 100, 0)])],
  ...['1.0', '1.3', '1.4', '1.5', '1.6', '1.7', '2.0'].map((version): [string, number, () => Buffer] => [
    `version ${version}`,
    1,
    () => pdfOf(ONE_PAGE, { version }),
  ]),
])('a PDF with %s is accepted with its page count', async (_case, pageCount, make) => {
  const bytes = await make();
  const { status, body } = await upload(bytes);
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  expect(body.data).toMatchObject({ pageCount, sizeBytes: bytes.length });
});
