import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';

/** Objects of a PDF with one empty page: the catalogue, the page tree and the page. */
export const ONE_PAGE = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
];

export interface Writing {
  version?: string;
  /** Entries of the trailer in addition to Size and Root. */
  trailer?: string;
  /** Size entry of the trailer; by default the number of objects plus one, because object 0 counts as well. */
  size?: number | string;
}

/** Builds a PDF with a cross-reference table from objects, numbered from 1; the first is the catalogue. */
export function pdfOf(
  objects: readonly (string | Buffer)[],
  { version = '1.4', trailer = '', size }: Writing = {},
): Buffer {
  const pieces = [Buffer.from(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`, 'latin1')];
  let length = pieces[0]!.length;
  const places = objects.map((object, index) => {
    const place = length;
    const piece = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      typeof object === 'string' ? Buffer.from(object, 'latin1') : object,
      Buffer.from('\nendobj\n'),
    ]);
    pieces.push(piece);
    length += piece.length;
    return place;
  });
  const count = objects.length + 1;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`);
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows.join('')}`;
  const end = `trailer\n<</Size ${size ?? count}/Root 1 0 R${trailer}>>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...pieces, Buffer.from(table + end, 'latin1')]);
}

/** Builds a stream whose dictionary claims the length of the content unless `length` is given. */
export function streamOf(dictionary: string, content: Buffer, length: number | string = content.length): Buffer {
  const head = `<<${dictionary}/Length ${length}>>\nstream\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), content, Buffer.from('\nendstream', 'latin1')]);
}

/** Builds a stream that decompresses to `content`. */
export function deflatedOf(dictionary: string, content: Buffer): Buffer {
  return streamOf(`${dictionary}/Filter/FlateDecode`, deflateSync(content, { level: 9 }));
}

const MIB = 1024 * 1024;
const NONE = Buffer.alloc(0);

/** Builds a stream that decompresses to `head` followed by `mib` MiB of one byte. */
export function deflatedRunOf(dictionary: string, mib: number, byte: number, head = NONE): Buffer {
  return streamOf(`${dictionary}/Filter/FlateDecode`, deflatedRun(mib, byte, head));
}

/** Deflates `head` and a run of one byte a thousand times faster than zlib, by repeating one compressed MiB. */
export function deflatedRun(mib: number, byte: number, head = NONE): Buffer {
  const piece = (bytes: Buffer) => deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const end = Buffer.alloc(6);
  end.writeUInt16BE(0x0300);
  end.writeUInt32BE(checksumOfRun(head, BigInt(mib) * BigInt(MIB), BigInt(byte)), 2);
  const run = Array<Buffer>(mib).fill(piece(Buffer.alloc(MIB, byte)));
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...(head.length > 0 ? [piece(head)] : []), ...run, end]);
}

/** Returns the Adler-32 checksum of a head and `count` times the same byte. */
function checksumOfRun(head: Buffer, count: bigint, byte: bigint): number {
  let [a, b] = [1n, 0n];
  for (const value of head) b += a += BigInt(value);
  b += count * a + (byte * count * (count + 1n)) / 2n;
  a += count * byte;
  return Number(((b % 65521n) << 16n) | (a % 65521n));
}

/**
 * Builds a PDF 1.5 with a cross-reference stream that places the packed objects, numbered after `plain`, in an object
 * stream.
 * @param packed the number of packed objects and the number of the plain object that is their object stream
 */
export function pdfWithIndexStream(
  plain: readonly (string | Buffer)[],
  { packed = 0, holder = 0, dictionary = '', padding = 0 } = {},
): Buffer {
  const whole = pdfOf(plain, { version: '1.5' });
  const body = whole.subarray(0, whole.lastIndexOf('\nxref\n') + 1);
  const own = plain.length + 1 + packed;
  const rows = Buffer.alloc((own + 1) * 7 + padding);
  plain.forEach((_object, index) => {
    rows.writeUInt8(1, (index + 1) * 7);
    rows.writeUInt32BE(body.indexOf(`\n${index + 1} 0 obj`) + 1, (index + 1) * 7 + 1);
  });
  for (let index = 0; index < packed; index++) {
    const at = (plain.length + 1 + index) * 7;
    rows.writeUInt8(2, at);
    rows.writeUInt32BE(holder, at + 1);
    rows.writeUInt16BE(index & 0xffff, at + 5);
  }
  rows.writeUInt8(1, own * 7);
  rows.writeUInt32BE(body.length, own * 7 + 1);
  const index = deflatedOf(`/Type/XRef/Size ${own + 1}/W[1 4 2]/Root 1 0 R${dictionary}`, rows);
  const end = Buffer.from(`\nendobj\nstartxref\n${body.length}\n%%EOF\n`);
  return Buffer.concat([body, Buffer.from(`${own} 0 obj\n`), index, end]);
}

/** Creates a document of the given number of pages with text, as programs write it. */
export async function written(pages: number): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  document.setTitle('Acceptable use – 情報セキュリティ');
  for (let number = 1; number <= pages; number++) {
    document.addPage([595, 842]).drawText(`Page ${number}: café, naïve, 10 €`, { x: 50, y: 700, size: 20 });
  }
  return document;
}

/** Saves a document and returns its bytes. */
export async function bytesOf(document: PDFDocument, useObjectStreams = true): Promise<Buffer> {
  return Buffer.from(await document.save({ useObjectStreams }));
}
