import { createInflate, inflateSync } from 'node:zlib';

const MIB = 1024 * 1024;
/** How many bytes streams may unpack to. */
export interface UnpackedLimits {
  /** One stream. */
  streamBytes: number;
  /** One that the reader itself unpacks. */
  indexBytes: number;
  /** All of a file. */
  totalBytes: number;
  /** Packed, a stream of this size cannot unpack to more than memory has. */
  smallBytes: number;
}

/** A stream may hold an A3 page scanned in colour, and more. */
export const UNPACKED_LIMITS: UnpackedLimits = {
  streamBytes: 128 * MIB,
  indexBytes: 16 * MIB,
  totalBytes: 256 * MIB,
  smallBytes: 64 * 1024,
};

const HEAD_BYTES = 1024;
const TAIL_BYTES = 2048;
const DICTIONARY_BYTES = 4096;

const TOO_LARGE = 'unpacks to more than is reasonable';

/**
 * What is wrong with a file before a reader even tries it: it is no PDF, its end is missing, or its streams unpack to
 * more than a reader should be asked to hold. Images are not counted: the reader does not unpack them. Undefined when
 * nothing is.
 */
export async function findFault(file: Buffer, limits = UNPACKED_LIMITS): Promise<string | undefined> {
  if (file.length === 0) return 'is empty';
  const start = file.subarray(0, HEAD_BYTES).indexOf('%PDF-');
  if (start < 0) return 'is no PDF';
  if (!pointsToItsIndex(file, start)) return 'is damaged';
  return findBomb(file, limits);
}

/** A whole file ends with the place of its index. */
function pointsToItsIndex(file: Buffer, start: number): boolean {
  const tail = file.subarray(-TAIL_BYTES).toString('latin1');
  const offset = /startxref\s+(\d{1,10})\s+%%EOF(?![\s\S]*startxref)/.exec(tail)?.[1];
  if (offset === undefined) return false;
  // Some programs count from the start of the file, some from that of the PDF in it.
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
 * The reader does not ask for the type of what an index calls its next part or a stream of objects, only for the entries
 * that it needs then: what has one of these, or could have it in another spelling, is not just an image.
 */
function isImageAlone(dictionary: string): boolean {
  if (!/^obj\s*<</.test(dictionary) || !/\/Subtype\s*\/Image\b/.test(dictionary)) return false;
  return !/[#%()]|\bendobj\b|\/(N|First|W|ObjStm|XRef|Metadata|XML)(?![^\s/[\]<>])/.test(dictionary);
}

/** The streams that are packed by deflate, whatever their dictionary says of them. */
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

/** The two bytes that every zlib stream begins with. */
function looksDeflated(bytes: Buffer, at = 0): boolean {
  const [first, second] = [bytes[at], bytes[at + 1]];
  return first !== undefined && second !== undefined && (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

/** Bytes, or any number past the limit. What cannot be unpacked counts nothing: it cannot fill memory either. */
async function unpackedSize(packed: Buffer, limit: number, smallBytes: number): Promise<number> {
  if (packed.length > smallBytes) return measureLargeStream(packed, limit);
  try {
    const bytes = inflateSync(packed, { maxOutputLength: Math.max(1, limit) });
    // Packed again, as bombs are: what counts is what comes out in the end.
    return looksDeflated(bytes) ? Math.max(bytes.length, await unpackedSize(bytes, limit, smallBytes)) : bytes.length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? limit + 1 : 0;
  }
}

/** Unpacks piece by piece, so that memory holds no more than one. */
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
