import { gzipSync } from 'node:zlib';
import { deflatedOf, ONE_PAGE, pdfOf, pdfWithIndexStream, streamOf } from './pdf-samples.ts';

const [CATALOGUE, TREE, PAGE] = ONE_PAGE as [string, string, string];
const good = pdfOf(ONE_PAGE);
const goodText = good.toString('latin1');
const place = Number(/startxref\n(\d+)/.exec(goodText)![1]);

type Cases = [string, () => Buffer][];

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const edited = (what: string | RegExp, by: string): Buffer => bytes(goodText.replace(what, by));
const filled = (length: number, value: string): string => value.repeat(Math.ceil(length / value.length));

/** Files that are not PDFs. */
export const strangers: Cases = [
  ['an empty file', () => Buffer.alloc(0)],
  ['one byte', () => bytes('%')],
  ['a null byte', () => Buffer.alloc(1)],
  ['a MiB of null bytes', () => Buffer.alloc(1024 * 1024)],
  ['only the magic number', () => bytes('%PDF-')],
  ['only the header', () => bytes('%PDF-1.7\n')],
  ['a header and an end-of-file marker', () => bytes('%PDF-1.7\n%%EOF\n')],
  ['a header and a pointer to itself', () => bytes('%PDF-1.7\nstartxref\n0\n%%EOF\n')],
  ['a header and 100 KiB of random bytes', () => Buffer.concat([bytes('%PDF-1.7\n'), noise(100 * 1024)])],
  ['random bytes', () => noise(100 * 1024)],
  ['a PDF without its header', () => good.subarray(9)],
  ['a lower-case header', () => edited('%PDF-', '%pdf-')],
  ['a header with a null byte', () => edited('%PDF-', '%P\0DF-')],
  ['text', () => bytes('Acceptable use\n\nBe kind.\n')],
  ['JSON', () => bytes('{"file": "%PDF"}')],
  [
    'a JPEG',
    () =>
      Buffer.concat([
        Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
        noise(4000),
        Buffer.from('ffd9', 'hex'),
      ]),
  ],
  ['a PNG', () => Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), noise(4000)])],
  [
    'a ZIP',
    () =>
      Buffer.concat([
        Buffer.from('504b0304140000000800', 'hex'),
        noise(4000),
        Buffer.from('504b0506', 'hex'),
        Buffer.alloc(18),
      ]),
  ],
  ['a program', () => Buffer.concat([bytes('MZ\x90\0\x03\0\0\0'), Buffer.alloc(120), bytes('PE\0\0'), noise(4000)])],
  ['HTML', () => bytes('<!doctype html><title>policy.pdf</title><script>alert(1)</script>')],
  ['PostScript', () => bytes('%!PS-Adobe-3.0\n%%EOF\n')],
  ['a base64-encoded PDF', () => Buffer.from(good.toString('base64'))],
  ['a PDF in UTF-16', () => Buffer.from(goodText, 'utf16le')],
  ['a gzipped PDF', () => gzipSync(good)],
  ['a PDF after 2 KiB of HTML', () => Buffer.concat([bytes(filled(2048, '<p>hello</p>')), good])],
  ['a PDF before 100 KiB of ZIP data', () => Buffer.concat([good, bytes('PK\x03\x04'), noise(100 * 1024)])],
  ['a PDF without line endings', () => bytes(goodText.replaceAll('\n', ''))],
  ['a PDF with doubled line endings', () => bytes(goodText.replaceAll('\n', '\r\n\r\n'))],
  ['a PDF that has lost its high bits', () => Buffer.from(deflatedPdf().map((byte) => byte & 0x7f))],
  ['a PDF decoded and re-encoded as UTF-8', () => Buffer.from(deflatedPdf().toString('utf8'))],
];

/** PDFs without readable pages. */
export const misshapen: Cases = [
  ['no root entry', () => edited('/Root 1 0 R', '')],
  ['a missing root object', () => edited('/Root 1 0 R', '/Root 9 0 R')],
  ['a root that is a number', () => edited('/Root 1 0 R', '/Root 1')],
  ['a root that is the page', () => edited('/Root 1 0 R', '/Root 3 0 R')],
  ['a root that refers to itself', () => pdfOf(['1 0 R', TREE, PAGE])],
  ['no page tree', () => pdfOf(['<</Type/Catalog>>'])],
  ['a missing page tree object', () => pdfOf(['<</Type/Catalog/Pages 7 0 R>>'])],
  ['a name instead of a page tree', () => pdfOf(['<</Type/Catalog/Pages/Pages>>'])],
  ['an empty page tree', () => pdfOf([CATALOGUE, '<</Type/Pages/Kids[]/Count 0>>'])],
  ['an empty page tree that claims one page', () => pdfOf([CATALOGUE, '<</Type/Pages/Kids[]/Count 1>>'])],
  ['a page tree that contains null', () => pdfOf([CATALOGUE, '<</Type/Pages/Kids[null]/Count 1>>'])],
  ['a page tree with a missing page', () => pdfOf([CATALOGUE, '<</Type/Pages/Kids[8 0 R]/Count 1>>'])],
  ['a page tree that contains itself', () => pdfOf([CATALOGUE, '<</Type/Pages/Kids[2 0 R]/Count 1>>'])],
  [
    'a page tree that contains itself and a page',
    () => pdfOf([CATALOGUE, '<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>>', PAGE]),
  ],
  ['two page trees that contain each other', () => pdfOf([CATALOGUE, kids(3, 2), kids(2, 2)])],
  [
    'a cycle of a thousand page trees',
    () => pdfOf([CATALOGUE, ...Array.from({ length: 1000 }, (_, n) => kids(n === 999 ? 2 : n + 3))]),
  ],
  [
    'page trees that double fifty times',
    () => pdfOf([CATALOGUE, ...Array.from({ length: 50 }, (_, n) => kids(n + 3, 2 ** (49 - n), n + 3))]),
  ],
  ['a reference to itself', () => pdfOf([CATALOGUE, '2 0 R'])],
  ['a cycle of references', () => pdfOf([CATALOGUE, '3 0 R', '4 0 R', '2 0 R'])],
  [
    'a million nested arrays',
    () => pdfOf([CATALOGUE, `<</Type/Pages/Count 1/Kids${'['.repeat(1e6)}${']'.repeat(1e6)}>>`]),
  ],
  ['a million unterminated nested arrays', () => pdfOf([CATALOGUE, `<</Type/Pages/Count 1/Kids${'['.repeat(1e6)}`])],
  ['500,000 nested dictionaries', () => pdfOf([`${'<</Pages'.repeat(5e5)} 2 0 R${'>>'.repeat(5e5)}`, TREE, PAGE])],
  ['a number with a million digits', () => pdfOf([CATALOGUE.replace('2 0 R', `${'9'.repeat(1e6)} 0 R`)])],
];

/** PDFs without readable pages that take a reader long to reject. */
export const laborious: Cases = [
  [
    'a million references to one page tree',
    () => pdfOf([CATALOGUE, `<</Type/Pages/Count 1000000/Kids[${'3 0 R '.repeat(1e6)}]>>`, kids(2)]),
  ],
  [
    '100,000 nested page trees without a page',
    () => pdfOf([CATALOGUE, ...Array.from({ length: 1e5 }, (_, n) => kids(n + 3))]),
  ],
  ['a name of 20 million letters', () => pdfOf([`<</Type/Catalog/Pages/${'A'.repeat(2e7)}>>`])],
  ['an unterminated string of 20 million parentheses', () => pdfOf([`<</Type/Catalog/Title (${'('.repeat(2e7)}`])],
  ['a million keys', () => pdfOf([`<<${Array.from({ length: 1e6 }, (_, n) => `/K${n} 0`).join('')}>>`])],
];

/** PDFs with a cross-reference table or stream that a reader cannot follow. */
export const misindexed: Cases = [
  ['no cross-reference table', () => bytes(goodText.replace(/xref\n[^]*trailer/, 'trailer'))],
  ['no trailer', () => bytes(goodText.replace(/trailer\n.*\n/, ''))],
  ['no startxref', () => edited('startxref', '')],
  ['no end-of-file marker', () => edited('%%EOF', '')],
  ['a table at a negative offset', () => edited(/startxref\n\d+/, 'startxref\n-1')],
  ['a table past the end of the file', () => edited(/startxref\n\d+/, 'startxref\n99999999')],
  ['a table at an offset of 400 digits', () => edited(/startxref\n\d+/, `startxref\n${'9'.repeat(400)}`)],
  ['a table offset in the header', () => edited(/startxref\n\d+/, 'startxref\n0')],
  ['a table offset in an object', () => edited(/startxref\n\d+/, `startxref\n${goodText.indexOf('1 0 obj')}`)],
  ['a table that claims a billion entries', () => edited('xref\n0 4', 'xref\n0 1000000000')],
  ['a table with fewer entries than it claims', () => edited('xref\n0 4', 'xref\n0 40')],
  ['a table that begins at a negative object number', () => edited('xref\n0 4', 'xref\n-1 4')],
  ['a table that begins at a huge object number', () => edited('xref\n0 4', 'xref\n4294967290 4')],
  ['a table whose entries are letters', () => edited(/0000000\d\d\d 00000 n/g, 'abcdefghij klmno n')],
  ['a table whose offsets are all the same', () => edited(/0000000\d\d\d 00000 n/g, '0000000015 00000 n')],
  ['a table in which every object is free', () => edited(/ 00000 n/g, ' 00000 f')],
  [
    'a table whose offsets are all one too high',
    () =>
      bytes(
        goodText.replace(
          /^0000000(\d\d\d) 00000 n/gm,
          (_row, at) => `0000000${String(Number(at) + 1).padStart(3, '0')} 00000 n`,
        ),
      ),
  ],
  [
    'null bytes instead of the table',
    () => bytes(goodText.replace(/xref\n[^]*trailer/, (text) => '\0'.repeat(text.length))),
  ],
  ['a cross-reference stream without widths', () => indexStream('/W[]')],
  ['a cross-reference stream with enormous widths', () => indexStream('/W[1 1000000000 2]')],
  ['a cross-reference stream with negative widths', () => indexStream('/W[1 -4 2]')],
  ['a cross-reference stream that claims a billion entries', () => indexStream('/Index[0 1000000000]')],
  ['a truncated cross-reference stream', () => cutIndexStream()],
  ['a cross-reference stream with the wrong filter', () => indexStream('/Filter/LZWDecode')],
  [
    'an object stream that contains itself',
    () => pdfWithIndexStream([CATALOGUE.replace('2', '3'), 'null'], { packed: 1, holder: 3 }),
  ],
  [
    'an object stream that is a page',
    () => pdfWithIndexStream([CATALOGUE.replace('2', '3'), PAGE], { packed: 1, holder: 2 }),
  ],
  ['objects that begin past the end of their object stream', () => packedPages('/Type/ObjStm/N 1/First 1000000000')],
  ['an object stream with a negative number of objects', () => packedPages('/Type/ObjStm/N -1/First 4')],
  ['an object stream that extends itself', () => packedPages('/Type/ObjStm/N 0/First 4/Extends 2 0 R')],
];

/** PDFs whose page tree claims more pages than it has; readers trust the claim. */
export const miscounted: Cases = [10_001, 2_000_000_001, 3_000_000_001].map((count) => [
  `${count} pages`,
  () => miscount(500, count),
]);

/** Malformed PDFs that some readers open as one page and others reject. */
export const bent: Cases = [
  [
    'a page tree that claims a billion pages',
    () => pdfOf([CATALOGUE, TREE.replace('Count 1', 'Count 1000000000'), PAGE]),
  ],
  ['a page tree that claims two pages but has one', () => pdfOf([CATALOGUE, TREE.replace('Count 1', 'Count 2'), PAGE])],
  [
    'a cross-reference table that is its own predecessor',
    () => pdfOf(ONE_PAGE, { trailer: `/Prev ${place}`, size: 'x' }),
  ],
  ['cross-reference tables that precede each other', () => circleOfIndexes()],
  ['a predecessor past the end', () => pdfOf(ONE_PAGE, { trailer: '/Prev 99999999' })],
  ['a predecessor at a negative offset', () => pdfOf(ONE_PAGE, { trailer: '/Prev -5' })],
  [
    'a table that is named as its own cross-reference stream',
    () => pdfOf(ONE_PAGE, { trailer: `/XRefStm ${place}`, size: 'x' }),
  ],
  ['an object stream that claims to be longer than the file', () => packedPages('/Type/ObjStm/N 1/First 4', 1e9)],
  ['a cross-reference stream whose length refers to itself', () => indexStream('/Length 4 0 R')],
];

/** Returns a valid PDF whose cross-reference table has a million empty sections, which takes a reader long to open. */
export const millionParts = (): Buffer => edited('xref\n0 4\n', `xref\n${'0 0\n'.repeat(1e6)}0 4\n`);

/** Returns a PDF whose page tree claims `count` pages but has only `pages`, and one more at the end. */
export function miscount(pages: number, count: number): Buffer {
  const tree = `<</Type/Pages/Parent 2 0 R/Count ${count - 1}/Kids[${'5 0 R '.repeat(pages)}]>>`;
  const page = (parent: number) => `<</Type/Page/Parent ${parent} 0 R/MediaBox[0 0 9 9]>>`;
  return pdfOf([CATALOGUE, kids(3, count, 4), tree, page(2), page(3)]);
}

function deflatedPdf(): Buffer {
  return pdfWithIndexStream([CATALOGUE.replace('2', '3'), deflatedOf('/Type/ObjStm/N 2/First 9', packed())], {
    packed: 2,
    holder: 2,
  });
}

function packed(): Buffer {
  return bytes(`3 0 4 40 ${'<</Type/Pages/Kids[4 0 R]/Count 1>>'.padEnd(40)}<</Type/Page/Parent 3 0 R>>`);
}

function packedPages(dictionary: string, length?: number): Buffer {
  const content = bytes('3 0 <</Type/Pages/Kids[4 0 R]/Count 1>>');
  return pdfWithIndexStream([CATALOGUE.replace('2', '3'), streamOf(dictionary, content, length)], {
    packed: 1,
    holder: 2,
  });
}

/** Returns a PDF whose cross-reference stream has the given dictionary entry instead of the original one. */
function indexStream(entry: string): Buffer {
  const name = /^\/\w+/.exec(entry)![0];
  const text = pdfWithIndexStream(ONE_PAGE).toString('latin1');
  const at = text.lastIndexOf('/Type/XRef');
  const old = new RegExp(`${name}(\\[[^\\]]*\\]|/\\w+| \\d+)`);
  const dictionary = text.slice(at);
  const changed = old.test(dictionary) ? dictionary.replace(old, entry) : entry + dictionary;
  return bytes(text.slice(0, at) + changed);
}

function cutIndexStream(): Buffer {
  const whole = pdfWithIndexStream(ONE_PAGE);
  const data = whole.indexOf('stream\n', whole.lastIndexOf('/Type/XRef')) + 7;
  return Buffer.concat([whole.subarray(0, data + 8), whole.subarray(whole.lastIndexOf('\nendstream'))]);
}

function circleOfIndexes(): Buffer {
  const first = pdfOf(ONE_PAGE, { trailer: '/Prev 0000000000' }).toString('latin1');
  const back = /startxref\n(\d+)/.exec(first)![1]!;
  const second = `xref\n0 0\ntrailer\n<</Size 4/Root 9 0 R/Prev ${back}>>\nstartxref\n${first.length}\n%%EOF\n`;
  return bytes(first.replace('0000000000>>', `${String(first.length).padStart(10, '0')}>>`) + second);
}

/** Returns a page tree node with one or two kids. */
function kids(first: number, count = 1, second?: number): string {
  return `<</Type/Pages/Count ${count}/Kids[${first} 0 R${second === undefined ? '' : ` ${second} 0 R`}]>>`;
}

/** Returns pseudo-random bytes, the same for the same seed. */
export function noise(length: number, seed = 1): Buffer {
  const next = randomFrom(seed);
  return Buffer.from(Uint8Array.from({ length }, () => next() * 256));
}

/** Returns a generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
