import { constants, inflateRawSync } from 'node:zlib';
import { type ObjectReader, type PdfItems, type PdfValue, valuesOf } from './object-reader.ts';

/** zlib's header; its checksum is not checked, as viewers do not. */
const HEADER_BYTES = 2;

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
 * @param place where its data begins
 * @param maxBytes of what is packed
 * @returns undefined when it is packed in another way than by plain deflate, is damaged or too large: who reads on can only guess
 */
export function contentOf(bytes: Buffer, dictionary: PdfItems, place: number, maxBytes: number): Buffer | undefined {
  // A filter in another file, or under the short name that some viewers take.
  if (['/F', '/FFilter', '/DP'].some((key) => dictionary.items.includes(key))) return undefined;
  if (!valuesOf(dictionary, '/DecodeParms').every(isEmpty)) return undefined;
  const filters = valuesOf(dictionary, '/Filter');
  if (filters.every(isEmpty)) return storedContent(bytes, dictionary, place);
  if (filters.length > 1 || !isDeflate(filters[0]!)) return undefined;
  try {
    const packed = bytes.subarray(place + HEADER_BYTES);
    return inflateRawSync(packed, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}

/** The content of a stream that is not packed. Only its length says where it ends: it may name its end itself. */
function storedContent(bytes: Buffer, dictionary: PdfItems, place: number): Buffer | undefined {
  const [length, ...others] = valuesOf(dictionary, '/Length');
  if (typeof length !== 'number' || others.length > 0) return undefined;
  const end = place + length;
  const isWhole = /^\s*endstream/.test(bytes.toString('latin1', end, end + 20));
  return isWhole ? bytes.subarray(place, end) : undefined;
}

function isDeflate(filter: PdfValue): boolean {
  if (typeof filter === 'object' && 'items' in filter) return filter.items.length === 1 && isDeflate(filter.items[0]!);
  return filter === '/FlateDecode' || filter === '/Fl';
}

function isEmpty(value: PdfValue): boolean {
  return value === 'null' || (typeof value === 'object' && 'items' in value && value.items.every(isEmpty));
}

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];
