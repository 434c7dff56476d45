import { constants, inflateRawSync } from 'node:zlib';
import {
  isItems,
  type ObjectReader,
  type PdfItems,
  type PdfValue,
  listReferences,
  listValues,
} from './object-reader.ts';

/** A stream: its dictionary, and where its data begins. */
export interface PdfStream {
  dictionary: PdfItems;
  place: number;
}

/** zlib's header; its checksum is not checked, as viewers do not. */
const HEADER_BYTES = 2;
const ENDED = /^\s*endstream/;

/** Where the data of a stream begins whose dictionary has just been read; undefined for what is no stream. */
export function dataPlace(bytes: Buffer, reader: ObjectReader): number | undefined {
  const place = reader.skipBlanks();
  if (bytes.toString('latin1', place, place + 6) !== 'stream') return undefined;
  for (let at = place + 6; at < bytes.length; at++) {
    if (bytes[at] === LINE_FEED) return at + 1;
    if (bytes[at] === CARRIAGE_RETURN) return bytes[at + 1] === LINE_FEED ? at + 2 : at + 1;
  }
  return undefined;
}

/**
 * What a stream holds.
 * @param maxBytes of what is packed
 * @param lengths what viewers could find for a length that stands in an object of its own
 * @returns undefined when it is packed in another way than by plain deflate, is damaged or too large: who reads on can only guess
 */
export function unpackStream(
  bytes: Buffer,
  { dictionary, place }: PdfStream,
  maxBytes: number,
  lengths: readonly number[] = [],
): Buffer | undefined {
  // A filter in another file, or under the short name that some viewers take.
  if (['/F', '/FFilter', '/DP'].some((key) => dictionary.items.includes(key))) return undefined;
  if (!listValues(dictionary, '/DecodeParms').every(isEmpty)) return undefined;
  const filters = listValues(dictionary, '/Filter');
  if (filters.every(isEmpty)) return storedContent(bytes, dictionary, place, lengths);
  return inflated(bytes, { dictionary, place }, maxBytes, lengths);
}
/** Reports whether a stream is an image in a format that has only pixels. */
export function isPicture({ dictionary }: PdfStream): boolean {
  return listValues(dictionary, '/Filter').some((filter) => PICTURES.includes(filter as string));
}

const PICTURES = ['/DCTDecode', '/JPXDecode', '/CCITTFaxDecode', '/JBIG2Decode'];

/** The bytes of an index as they are packed, before a predictor is undone. One that is not packed ends where its rows do. */
export function unpackIndexRows(bytes: Buffer, { dictionary, place }: PdfStream, maxBytes: number): Buffer | undefined {
  if (['/F', '/FFilter', '/DP'].some((key) => dictionary.items.includes(key))) return undefined;
  return listValues(dictionary, '/Filter').every(isEmpty)
    ? bytes.subarray(place)
    : inflated(bytes, { dictionary, place }, maxBytes, []);
}

function inflated(
  bytes: Buffer,
  { dictionary, place }: PdfStream,
  maxBytes: number,
  lengths: readonly number[],
): Buffer | undefined {
  const filters = listValues(dictionary, '/Filter');
  if (filters.length > 1 || !isDeflate(filters[0]!)) return undefined;
  const packed = bytes.subarray(place + HEADER_BYTES);
  const whole = unpacked(packed, maxBytes);
  if (whole) return whole;
  // Acrobat flushes without a last block; then what follows is read as another one.
  const flushed = storedContent(bytes, dictionary, place, lengths)?.subarray(HEADER_BYTES);
  return flushed?.subarray(-FLUSH.length).equals(FLUSH) ? unpacked(flushed, maxBytes) : undefined;
}

/** The empty block that deflate ends a flush with. */
const FLUSH = Buffer.from([0, 0, 0xff, 0xff]);

function unpacked(packed: Buffer, maxBytes: number): Buffer | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}

/**
 * The content of a stream that is not packed. Only its length says where it ends: it may name its end itself. Undefined
 * when several lengths would do: viewers differ in which one they find.
 */
function storedContent(
  bytes: Buffer,
  dictionary: PdfItems,
  place: number,
  lengths: readonly number[],
): Buffer | undefined {
  const [length, ...others] = listValues(dictionary, '/Length');
  if (typeof length !== 'number' || others.length > 0) return undefined;
  const isReference = listReferences(dictionary, '/Length').length > 0;
  const ends = new Set((isReference ? lengths : [length]).map((one) => place + one));
  const [end, ...more] = [...ends].filter((one) => ENDED.test(bytes.toString('latin1', one, one + 20)));
  return end === undefined || more.length > 0 ? undefined : bytes.subarray(place, end);
}

function isDeflate(filter: PdfValue): boolean {
  if (isItems(filter)) return filter.items.length === 1 && isDeflate(filter.items[0]!);
  return filter === '/FlateDecode' || filter === '/Fl';
}

function isEmpty(value: PdfValue): boolean {
  return value === 'null' || (isItems(value) && value.items.every(isEmpty));
}

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];
