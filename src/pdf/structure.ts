import { createInflate, inflateSync } from 'node:zlib';

const MIB = 1024 * 1024;
/** Maximum numbers of bytes to which streams can unpack. */
export interface UnpackedLimits {
  /** Limit of one stream. */
  streamBytes: number;
  /** Limit of a stream that the reader itself unpacks. */
  indexBytes: number;
  /** Limit of all streams of a file together. */
  totalBytes: number;
  /**
   * Maximum packed size of a stream that is unpacked without measuring it first, because it always fits into memory.
   */
  smallBytes: number;
}

/** Default limits. They leave room for an A3 page scanned in colour, and more. */
export const UNPACKED_LIMITS: UnpackedLimits = {
  streamBytes: 128 * MIB,
  indexBytes: 16 * MIB,
  totalBytes: 256 * MIB,
  smallBytes: 64 * 1024,
};

const HEAD_BYTES = 1024;
const TAIL_BYTES = 2048;
const DICTIONARY_BYTES = 4096;

const TOO_LARGE = 'unpacks to too many bytes';

/**
 * Returns the fault of a file before a reader tries it: it is not a PDF, its end is missing, or its streams unpack to
 * more than a reader should hold. Images do not count, because the reader does not unpack them. Returns undefined if
 * the file has no fault.
 */
export async function findFault(file: Buffer, limits = UNPACKED_LIMITS): Promise<string | undefined> {
  if (file.length === 0) return 'is empty';
  const start = file.subarray(0, HEAD_BYTES).indexOf('%PDF-');
  if (start < 0) return 'is not a PDF';
  if (!pointsToItsIndex(file, start)) return 'is damaged';
  return findBomb(file, limits);
}

/** Reports whether a file ends with the position of its index, as a complete file does. */
function pointsToItsIndex(file: Buffer, start: number): boolean {
  const tail = file.subarray(-TAIL_BYTES).toString('latin1');
  const offset = /startxref\s+(\d{1,10})\s+%%EOF(?![\s\S]*startxref)/.exec(tail)?.[1];
  if (offset === undefined) return false;
  // Some programs count from the start of the file, others from the start of the PDF in it.
  return [0, start].some((base) => {
    const place = base + Number(offset);
    return /^\s*(xref\s|\d+\s+\d+\s+obj)/.test(file.subarray(place, place + 64).toString('latin1'));
  });
}

async function findBomb(file: Buffer, limits: UnpackedLimits): Promise<string | undefined> {
  let total = 0;
  for (const { packed, dictionary } of findStreams(file)) {
    if (isImageAlone(dictionary)) continue;
    const isIndex = /\/(ObjStm|XRef)\b/.test(dictionary);
    const limit = Math.min(isIndex ? limits.indexBytes : limits.streamBytes, limits.totalBytes - total);
    const size = await unpackedSize(packed, limit, limits.smallBytes);
    if (size > limit) return TOO_LARGE;
    total += size;
  }
  return undefined;
}

/**
 * Reports whether a stream is only an image. For the next part of an index and for a stream of objects, the reader
 * checks only the entries that it needs, not the type. A stream that has such an entry, or might have it in another
 * spelling, is therefore not only an image.
 */
function isImageAlone(dictionary: string): boolean {
  if (!/^obj\s*<</.test(dictionary) || !/\/Subtype\s*\/Image\b/.test(dictionary)) return false;
  return !/[#%()]|\bendobj\b|\/(N|First|W|ObjStm|XRef|Metadata|XML)(?![^\s/[\]<>])/.test(dictionary);
}

/** Yields the streams that are packed by deflate, regardless of their dictionaries. */
function* findStreams(file: Buffer): Generator<{ packed: Buffer; dictionary: string }> {
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    if (file.subarray(at - 3, at).equals(END)) continue;
    const data = at + 6 + (file[at + 6] === 13 ? 2 : 1);
    if (!looksDeflated(file, data)) continue;
    const end = file.indexOf('endstream', data);
    const dictionary = file.subarray(Math.max(0, at - DICTIONARY_BYTES), at).toString('latin1');
    yield {
      packed: file.subarray(data, end < 0 ? file.length : end),
      dictionary: dictionary.slice(dictionary.lastIndexOf(' obj') + 1),
    };
  }
}

const END = Buffer.from('end');

/** Reports whether bytes begin with the header of a zlib stream. */
function looksDeflated(bytes: Buffer, at = 0): boolean {
  const [first, second] = [bytes[at], bytes[at + 1]];
  return first !== undefined && second !== undefined && (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

/** Returns the unpacked size in bytes, or any number beyond the limit. Invalid data counts as 0: it fills no memory. */
async function unpackedSize(packed: Buffer, limit: number, smallBytes: number): Promise<number> {
  if (packed.length > smallBytes) return measureLargeStream(packed, limit);
  try {
    const bytes = inflateSync(packed, { maxOutputLength: Math.max(1, limit) });
    // Zip bombs are packed more than once. The final size counts.
    return looksDeflated(bytes) ? Math.max(bytes.length, await unpackedSize(bytes, limit, smallBytes)) : bytes.length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? limit + 1 : 0;
  }
}

/** Measures a stream chunk by chunk, so that memory holds only one chunk. */
function measureLargeStream(packed: Buffer, limit: number): Promise<number> {
  return new Promise((resolve) => {
    const inflate = createInflate();
    let size = 0;
    inflate.on('data', (piece: Buffer) => {
      const isPackedTwice = size === 0 && looksDeflated(piece);
      size += piece.length;
      if (!isPackedTwice && size <= limit) return;
      inflate.destroy();
      resolve(limit + 1);
    });
    inflate.once('end', () => resolve(size));
    inflate.once('error', () => resolve(size));
    inflate.end(packed);
  });
}
