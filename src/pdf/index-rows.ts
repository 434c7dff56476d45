import { isItems, type PdfItems, type PdfValue, listReferences, listValues } from './object-reader.ts';

/** Type of the index rows that state which stream of objects contains an object. */
const PACKED = 2;
/** Values of /Predictor: none, TIFF's, and PNG's from 10 upwards. With PNG's, each row begins with its filter. */
const [NONE, TIFF, PNG] = [1, 2, 10];

const KEYS = ['/W', '/Index', '/Size', '/DecodeParms'];

/** A row of an index about an object in a stream of objects. */
export interface PackedEntry {
  number: number;
  /** Number of the stream of objects. */
  container: number;
  position: number;
}

/** Yields the rows of an index about objects in streams of objects. */
export function* packedEntries(rows: Buffer, dictionary: PdfItems): Generator<PackedEntry> {
  const [kindBytes = 0, containerBytes = 0, positionBytes = 0, ...others] = listNumbers(dictionary, '/W');
  const width = [kindBytes, containerBytes, positionBytes, ...others].reduce((sum, one) => sum + one, 0);
  // Without a type field, every row is about an object in the file.
  if (kindBytes === 0) return;
  const ranges = listNumbers(dictionary, '/Index');
  if (ranges.length < 2) ranges.splice(0, ranges.length, 0, ...listNumbers(dictionary, '/Size'));
  let at = 0;
  for (let range = 0; range + 1 < ranges.length; range += 2) {
    for (let index = 0; index < ranges[range + 1]! && at + width <= rows.length; index++, at += width) {
      if (integerAt(rows, at, kindBytes) !== PACKED) continue;
      const container = integerAt(rows, at + kindBytes, containerBytes);
      const position = integerAt(rows, at + kindBytes + containerBytes, positionBytes);
      yield { number: ranges[range]! + index, container, position };
    }
  }
}

/**
 * Undoes the predictor of an index's rows. Returns undefined if the predictor is unusual for rows, or cannot be
 * determined.
 */
export function unpredicted(packed: Buffer, dictionary: PdfItems): Buffer | undefined {
  if (KEYS.some((key) => !isPlain(listValues(dictionary, key)) || listReferences(dictionary, key).length > 0))
    return undefined;
  const [parameters, ...others] = listFilterParameters(dictionary);
  if (!parameters) return packed;
  const value = (key: string, standard: number) => listNumbers(parameters, key)[0] ?? standard;
  const predictor = value('/Predictor', NONE);
  if (predictor === NONE) return packed;
  const columns = value('/Columns', 1);
  const areBytes = value('/Colors', 1) === 1 && value('/BitsPerComponent', 8) === 8;
  if (others.length > 0 || !areBytes || columns < 1) return undefined;
  if (predictor === TIFF) return unfiltered(packed, columns, 1);
  return predictor >= PNG ? unfiltered(packed, columns) : undefined;
}

/** Reports whether a key has at most one value, without references, as the keys of an index must. */
function isPlain(values: PdfValue[]): boolean {
  return values.length <= 1 && !values.some((value) => isItems(value) && hasReference(value));
}

function hasReference({ items }: PdfItems): boolean {
  return items.some((value) => value === 'R' || (isItems(value) && hasReference(value)));
}

/** Returns the dictionaries with the filters' parameters: one, or several in an array. */
function listFilterParameters(dictionary: PdfItems): PdfItems[] {
  return listValues(dictionary, '/DecodeParms')
    .filter(isItems)
    .flatMap((one) => (one.items.some(isItems) ? one.items.filter(isItems) : [one]));
}

function listNumbers(dictionary: PdfItems, key: string): number[] {
  const flat = listValues(dictionary, key).flatMap((value): PdfValue[] => (isItems(value) ? value.items : [value]));
  return flat.filter((value) => typeof value === 'number');
}

function integerAt(bytes: Buffer, at: number, length: number): number {
  let value = 0;
  for (let offset = 0; offset < length; offset++) value = value * 256 + bytes[at + offset]!;
  return value;
}

/** Undoes PNG's filters on rows of bytes: the filter that each row begins with, or one for all rows. */
function unfiltered(content: Buffer, width: number, filterOfAll?: number): Buffer {
  const head = filterOfAll === undefined ? 1 : 0;
  const count = Math.floor(content.length / (width + head));
  const rows = Buffer.alloc(count * width);
  for (let row = 0; row < count; row++) {
    const filter = filterOfAll ?? content[row * (width + head)]!;
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      const left = column > 0 ? rows[at - 1]! : 0;
      const above = row > 0 ? rows[at - width]! : 0;
      const corner = column > 0 && row > 0 ? rows[at - width - 1]! : 0;
      rows[at] = content[row * (width + head) + head + column]! + predicted(filter, left, above, corner);
    }
  }
  return rows;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const estimate = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((one) => Math.abs(estimate - one));
  if (toLeft! <= toAbove! && toLeft! <= toCorner!) return left;
  return toAbove! <= toCorner! ? above : corner;
}
