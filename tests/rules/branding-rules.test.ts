import { contrastWithWhite, hasEnoughContrast, readLogo } from '../../src/resources/company/branding-rules.ts';
import { png } from '../support/pictures.ts';

test.each([
  ['#000000', 21],
  ['#ffffff', 1],
  ['#767676', 4.54],
  ['#777777', 4.48],
  ['#1d4ed8', 6.7],
])('the contrast of %s with white is %d', (color, contrast) => {
  expect(contrastWithWhite(color)).toBeCloseTo(contrast, 1);
  expect(hasEnoughContrast(color)).toBe(contrast >= 4.5);
});

const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b08003c00f001011100ffd9', 'hex');
const webp = (kind: string, data: string) =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`, 'latin1'), Buffer.from(data.padEnd(40, '0'), 'hex')]);

test.each([
  ['PNG', png(240, 60), 'image/png'],
  ['JPEG', jpeg, 'image/jpeg'],
  ['lossy WebP', webp('VP8 ', '0000009d012af0003c00'), 'image/webp'],
  ['lossless WebP', webp('VP8L', '2fefc00e00'), 'image/webp'],
  ['extended WebP', webp('VP8X', '00000000ef00003b0000'), 'image/webp'],
])('a %s has its type and size', (_kind, bytes, mediaType) => {
  expect(readLogo(bytes)).toEqual({ mediaType, width: 240, height: 60 });
});

test.each([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['GIF', Buffer.from('GIF89a\x01\0\x01\0', 'latin1')],
  ['PNG that is too wide', png(1001, 1)],
  ['PNG that is cut off', png(10, 10).subarray(0, 20)],
  ['PNG with frames', Buffer.concat([png(10, 10), Buffer.from('acTL')])],
  ['WebP with frames', webp('VP8X', '02000000ef00003b0000')],
  ['JPEG without a frame', Buffer.from('ffd8ffe00004000000ff', 'hex')],
  ['file of more than 64 KiB', Buffer.concat([png(10, 10), Buffer.alloc(65_536)])],
  ['empty file', Buffer.alloc(0)],
])('a %s is not accepted as a logo', (_kind, bytes) => {
  expect(readLogo(bytes)).toBeUndefined();
});
