import { deflateSync } from 'node:zlib';
import {
  deflatedOf,
  deflatedRun,
  deflatedRunOf,
  ONE_PAGE,
  pdfOf,
  pdfWithIndexStream,
  streamOf,
} from './pdf-samples.ts';

const MIB = 1024 * 1024;
const PACKED =
  '4 0 5 40 <</Type/Pages/Kids[5 0 R]/Count 1>>'.padEnd(49) + '<</Type/Page/Parent 4 0 R/MediaBox[0 0 9 9]>>';
const HOLDER = '/Type/ObjStm/N 2/First 9';

/** A bomb that takes a reader long enough to be observed. */
export const hexadecimalBomb = (): Buffer => withPacked(hexadecimal(300));

/** Small PDFs that decompress to huge sizes or make a reader use too much memory or time. */
export const bombs: [string, () => Buffer][] = [
  ['300 MiB of page content', () => withContent(deflatedRunOf('', 300, 0))],
  [
    '300 MiB of page content, truncated',
    () => withContent(streamOf('/Filter/FlateDecode', deflatedRun(300, 0).subarray(0, -9))),
  ],
  ['300 MiB in five content streams', () => withContents(5, () => deflatedRunOf('', 60, 0))],
  ['300 MiB compressed twice', () => withContent(twice(300))],
  ['10 GiB compressed twice', () => withContent(twice(10 * 1024))],
  [
    '300 MiB compressed three times',
    () =>
      withContent(
        streamOf('/Filter[/FlateDecode/FlateDecode/FlateDecode]', deflateSync(deflateSync(deflatedRun(300, 0)))),
      ),
  ],
  ['300 MiB in an object stream', () => withPacked(zipped(300))],
  ['1 GiB in an object stream', () => withPacked(zipped(1024))],
  ['300 MiB in an object stream that claims to be an image', () => withPacked(zipped(300, `${HOLDER}/Subtype/Image`))],
  [
    '300 MiB in an object stream with a string that imitates an image',
    () => withPacked(zipped(300, `${HOLDER}/A( 9 0 obj <</Subtype/Image`)),
  ],
  [
    '300 MiB in a cross-reference stream that claims to be an image',
    () => pdfWithIndexStream(ONE_PAGE, { padding: 300 * MIB, dictionary: '/Subtype/Image' }),
  ],
  ['300 MiB in an object stream with an escaped type', () => withPacked(zipped(300, '/Type/Obj#53tm/N 2/First 9'))],
  ['300 MiB in an object stream with spaces after its keyword', () => withPacked(reword(zipped(300), 'stream  \n'))],
  [
    '300 MiB in an object stream with a carriage return after its keyword',
    () => withPacked(reword(zipped(300), 'stream\r')),
  ],
  ['300 MiB in an object stream with a comment after its keyword', () => withPacked(reword(zipped(300), 'stream %\n'))],
  ['300 MiB in an object stream that contains its end keyword', () => withPacked(namingItsEnd(300))],
  ['300 MiB in a hexadecimal object stream', hexadecimalBomb],
  ['1 GiB in a hexadecimal object stream', () => withPacked(hexadecimal(1024))],
  ['300 MiB in a base-85 object stream', () => withPacked(base85(300))],
  ['300 MiB in a run-length-encoded object stream', () => withPacked(runLength(300))],
  ['300 MiB in a compressed run-length-encoded object stream', () => withPacked(runLengthPacked(300))],
  ['300 MiB in a cross-reference stream', () => pdfWithIndexStream(ONE_PAGE, { padding: 300 * MIB })],
  ['300 MiB of metadata', () => withMetadata(deflatedRunOf('/Type/Metadata/Subtype/XML', 300, 120))],
  [
    '120 MiB of XML elements in metadata',
    () => withMetadata(deflatedOf('/Type/Metadata/Subtype/XML', Buffer.alloc(120 * MIB, '<a>'))),
  ],
  ['ten million objects in an object stream', () => withPacked(manyObjects(10_000_000))],
  ['an object stream that claims a billion objects', () => withPacked(zipped(1, '/Type/ObjStm/N 1000000000/First 9'))],
];

function twice(mib: number): Buffer {
  return streamOf('/Filter[/FlateDecode/FlateDecode]', deflateSync(deflatedRun(mib, 0)));
}

function withContent(stream: Buffer): Buffer {
  return pdfOf([...ONE_PAGE.slice(0, 2), '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>', stream]);
}

function withContents(count: number, stream: () => Buffer): Buffer {
  const places = Array.from({ length: count }, (_, index) => `${index + 4} 0 R`).join(' ');
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents[${places}]>>`;
  return pdfOf([...ONE_PAGE.slice(0, 2), page, ...Array.from({ length: count }, stream)]);
}

function withMetadata(stream: Buffer): Buffer {
  return pdfOf(['<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>', ...ONE_PAGE.slice(1), stream]);
}

/** Returns a PDF whose page tree is in an object stream. */
function withPacked(stream: Buffer): Buffer {
  return pdfWithIndexStream(['<</Type/Catalog/Pages 4 0 R>>', 'null', stream], { packed: 2, holder: 3 });
}

function zipped(mib: number, dictionary = HOLDER): Buffer {
  return streamOf(`${dictionary}/Filter/FlateDecode`, packedObjects(mib));
}

/** Deflates two objects followed by blanks. */
function packedObjects(mib: number): Buffer {
  return deflatedRun(mib, 32, Buffer.from(PACKED));
}

function reword(stream: Buffer, keyword: string): Buffer {
  const at = stream.indexOf('stream\n');
  return Buffer.concat([stream.subarray(0, at), Buffer.from(keyword), stream.subarray(at + 7)]);
}

/** Returns a stream whose deflated data contains the keyword `endstream` in a stored (uncompressed) block. */
function namingItsEnd(mib: number): Buffer {
  const text = Buffer.from(`${PACKED}\nendstream\nendobj\n`);
  const stored = Buffer.alloc(5);
  stored.writeUInt16LE(text.length, 1);
  stored.writeUInt16LE(text.length ^ 0xffff, 3);
  const rest = deflatedRun(mib, 32);
  return streamOf(`${HOLDER}/Filter/FlateDecode`, Buffer.concat([rest.subarray(0, 2), stored, text, rest.subarray(2)]));
}

function hexadecimal(mib: number): Buffer {
  const hex = packedObjects(mib).toString('hex');
  return streamOf(`${HOLDER}/Filter[/ASCIIHexDecode/FlateDecode]`, Buffer.from(`${hex}>`));
}

function base85(mib: number): Buffer {
  const packed = packedObjects(mib);
  let text = '';
  for (let at = 0; at < packed.length; at += 4) {
    let word = packed.length - at < 4 ? 0 : packed.readUInt32BE(at);
    const digits = [];
    for (let digit = 0; digit < 5; digit++, word = Math.floor(word / 85)) digits.unshift(33 + (word % 85));
    text += String.fromCharCode(...digits);
  }
  return streamOf(`${HOLDER}/Filter[/ASCII85Decode/FlateDecode]`, Buffer.from(`${text}~>`));
}

function runs(mib: number): Buffer {
  const text = Buffer.from(PACKED);
  const literal = Buffer.concat([Buffer.from([text.length - 1]), text]);
  return Buffer.concat([literal, Buffer.alloc(mib * 8192 * 2, Buffer.from([129, 32])), Buffer.from([128])]);
}

function runLength(mib: number): Buffer {
  return streamOf(`${HOLDER}/Filter/RunLengthDecode`, runs(mib));
}

function runLengthPacked(mib: number): Buffer {
  return streamOf(`${HOLDER}/Filter[/FlateDecode/RunLengthDecode]`, deflateSync(runs(mib), { level: 9 }));
}

function manyObjects(count: number): Buffer {
  const numbers = '9 0 '.repeat(count - 2);
  const head = `4 ${numbers.length} 5 ${numbers.length + 40} `;
  const content = Buffer.from(head + numbers + PACKED.slice(9));
  return deflatedOf(`/Type/ObjStm/N ${count}/First ${head.length}`, content);
}
