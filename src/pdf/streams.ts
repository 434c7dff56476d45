import { constants, inflateRawSync } from 'node:zlib';
import {
  isItems,
  type ObjectReader,
  type PdfItems,
  type PdfValue,
  listReferences,
  listValues,
} from './object-reader.ts';

/** A stream: its dictionary, and the position of its data. */
export interface PdfStream {
  dictionary: PdfItems;
  place: number;
}

/** Length of zlib's header in bytes. The checksum of zlib is ignored, because viewers ignore it. */
const HEADER_BYTES = 2;
const ENDED = /^\s*endstream/;

/** Returns the position of a stream's data, right after its dictionary was read; undefined if no stream follows. */
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
 * Unpacks a stream.
 * @param maxBytes limit of the unpacked bytes of a packed stream
 * @param lengths values that viewers could find for a length that is an indirect object
 * @returns undefined if the stream is packed by anything but plain deflate, is damaged or is too large: other readers
 * could only guess
 */
export function unpackStream(
  bytes: Buffer,
  { dictionary, place }: PdfStream,
  maxBytes: number,
  lengths: readonly number[] = [],
): Buffer | undefined {
  // These keys place the data in another file, or name the parameters in a short form that some viewers accept.
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

/** Unpacks an index without undoing its predictor. An index that is not packed ends where its rows end. */
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
  // Acrobat flushes without a final block, so zlib would read the bytes after the data as another block.
  const flushed = storedContent(bytes, dictionary, place, lengths)?.subarray(HEADER_BYTES);
  return flushed?.subarray(-FLUSH.length).equals(FLUSH) ? unpacked(flushed, maxBytes) : undefined;
}

/** The empty block that ends a flush in deflate. */
const FLUSH = Buffer.from([0, 0, 0xff, 0xff]);

function unpacked(packed: Buffer, maxBytes: number): Buffer | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}

/**
 * Returns the content of a stream that is not packed. Only its length determines its end, because the content can
 * contain the keyword of its end. Returns undefined if several lengths fit: viewers differ in which one they find.
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
