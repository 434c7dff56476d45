import { deflateSync } from 'node:zlib';
import { findFault as findFaultWithin, UNPACKED_LIMITS } from '../../src/pdf/structure.ts';
import {
  bytesOf,
  deflatedOf,
  ONE_PAGE,
  pdfOf,
  pdfWithIndexStream,
  streamOf,
  written,
} from '../resources/policies/pdf-samples.ts';

// The service's limits scaled down: a mega is a 64th of a MiB. tests/process/hostile-pdfs.test.ts sends full-size
// files.
const SCALE = 64;
const MEGA = (1024 * 1024) / SCALE;
const limits = {
  streamBytes: UNPACKED_LIMITS.streamBytes / SCALE,
  indexBytes: UNPACKED_LIMITS.indexBytes / SCALE,
  totalBytes: UNPACKED_LIMITS.totalBytes / SCALE,
  smallBytes: UNPACKED_LIMITS.smallBytes / SCALE,
};
const findFault = (file: Buffer) => findFaultWithin(file, limits);
const TOO_LARGE = 'unpacks to too many bytes';
const good = pdfOf(ONE_PAGE);
const text = good.toString('latin1');
const joined = (...parts: (Buffer | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const ended = (end: string) => Buffer.from(text.replace(/startxref\n(\d+)\n%%EOF\n/, end), 'latin1');
const withStreams = (...sizes: number[]) =>
  pdfOf([...ONE_PAGE, ...sizes.map((megas) => deflatedOf('', Buffer.alloc(megas * MEGA)))]);

const IMAGE = '/Type/XObject/Subtype/Image/Width 9000/Height 9000/DecodeParms<</Predictor 15/Colors 3>>';
const packed = deflateSync(Buffer.alloc(130 * MEGA), { level: 1 });
const images = (count: number, dictionary: string) =>
  Array<Buffer>(count).fill(streamOf(`${dictionary}/Filter/FlateDecode`, packed));

test.each<[string, Buffer]>([
  ['a cross-reference table', good],
  ['a cross-reference stream', pdfWithIndexStream(ONE_PAGE)],
  ['no line ending at its end', good.subarray(0, -1)],
  ['Windows line endings at its end', ended('startxref\r\n$1\r\n%%EOF\r\n')],
  ['classic Mac OS line endings at its end', ended('startxref\r$1\r%%EOF\r')],
  ['a KiB of spaces after its end', joined(good, ' '.repeat(1024))],
  ['a byte order mark', joined('\ufeff', good)],
  ['a thousand bytes before its header', joined('x'.repeat(1000), good)],
  ['an earlier end-of-file marker', joined(good, text.slice(text.indexOf('xref\n')))],
  ['100 megas in a stream', withStreams(100)],
  ['250 megas in three streams', withStreams(100, 100, 50)],
  ['15 megas in its cross-reference stream', pdfWithIndexStream(ONE_PAGE, { padding: 15 * MEGA })],
  ['390 megas in images', pdfOf([...ONE_PAGE, ...images(3, IMAGE)])],
  [
    '390 megas in images with a palette',
    pdfOf([...ONE_PAGE, ...images(3, `${IMAGE}/ColorSpace[/Indexed/DeviceRGB 1<00ff00ff00ff>]`)]),
  ],
  ['10 megas that cannot be decompressed', pdfOf([...ONE_PAGE, deflatedOf('', Buffer.alloc(10 * MEGA, 0xff))])],
])('a file with %s has no fault', async (_case, file) => {
  expect(await findFault(file)).toBeUndefined();
});

test.each<[string, Buffer, string]>([
  ['no bytes', Buffer.alloc(0), 'is empty'],
  ['no header', good.subarray(9), 'is not a PDF'],
  ['its header after the first KiB', joined('x'.repeat(1024), good), 'is not a PDF'],
  ['no end-of-file marker', ended(''), 'is damaged'],
  ['an end-of-file marker without an offset', ended('startxref\n%%EOF\n'), 'is damaged'],
  ['an end-of-file marker only in the middle', joined(good, 'x'.repeat(4096)), 'is damaged'],
  ['a last startxref without an end-of-file marker', joined(good, 'startxref\n9\n'), 'is damaged'],
  ['an offset past its end', ended('startxref\n9999999999\n%%EOF\n'), 'is damaged'],
  ['an offset that leads to no cross-reference table', ended('startxref\n12\n%%EOF\n'), 'is damaged'],
  ['129 megas in a stream', withStreams(129), TOO_LARGE],
  ['260 megas in three streams', withStreams(100, 100, 60), TOO_LARGE],
  ...[
    '/N 2/First 9',
    '/N#20 2',
    '/#4e 2/#46irst 9',
    '/W[1 2 1]/Size 9',
    '/Type/XRef',
    '/Type/Metadata/Subtype/XML',
    '/A(/Subtype)',
  ].map((entries): [string, Buffer, string] => [
    `130 megas in an image that also has ${entries}`,
    pdfOf([...ONE_PAGE, ...images(1, IMAGE + entries)]),
    TOO_LARGE,
  ]),
  ['130 megas after an image', pdfOf([...ONE_PAGE, ...images(1, IMAGE), ...images(1, '')]), TOO_LARGE],
  ['17 megas in its cross-reference stream', pdfWithIndexStream(ONE_PAGE, { padding: 17 * MEGA }), TOO_LARGE],
])('a file with %s has that fault', async (_case, file, fault) => {
  expect(await findFault(file)).toBe(fault);
});

test.each<[string, () => Buffer | Promise<Buffer>]>([
  ['object streams', async () => bytesOf(await written(3))],
  ['no object streams', async () => bytesOf(await written(3), false)],
  ['one empty page', () => good],
])(
  'a file with %s that is truncated at any byte, or lacks any number of first bytes, has a fault',
  async (_case, make) => {
    const file = await make();
    const end = file.toString('latin1').trimEnd().length;
    expect(await findFault(file.subarray(0, end))).toBeUndefined();
    for (let length = end - 1; length > 0; length--) {
      expect(await findFault(file.subarray(0, length))).toBe(length < 5 ? 'is not a PDF' : 'is damaged');
    }
    for (let missing = 1; missing < end; missing++) {
      expect(await findFault(file.subarray(missing))).toBe('is not a PDF');
    }
  },
);
