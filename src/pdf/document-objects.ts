import { packedEntries, unpredicted } from './index-rows.ts';
import { isItems, ObjectReader, type PdfItems, type PdfValue, listReferences, listValues } from './object-reader.ts';
import { Refused } from './refused.ts';
import { unpackStream, dataPlace, type PdfStream, unpackIndexRows } from './streams.ts';

const MIB = 1024 * 1024;
const MAX_INDEX_BYTES = 16 * MIB;
/** Maximum number of references to follow from one to the next; no program writes two in a row. */
const MAX_ALIASES = 4;

export const UNREADABLE = 'has objects that cannot be inspected';

export interface PdfObject {
  value: PdfValue;
  stream?: PdfStream;
  /** Position of the keyword `obj`; undefined for an object in a stream of objects. */
  at?: number;
}

/** Position of an object: in the file, or in the stream of objects with the index `container` in `#containers`. */
interface Place {
  at: number;
  container?: number;
}

interface Container extends PdfStream {
  number: number | undefined;
  /** Numbers and positions of its objects, from the table at its start. */
  entries: [number, number][];
}

/**
 * All objects of a file, regardless of its index. Viewers read broken indexes differently, and an updated file contains
 * objects that only some viewers still see. An object is a value after any `obj`, or a value in a stream of objects.
 * One number can have several objects. Resolving a number yields everything that any viewer could find there:
 *
 * - each object that is written under the number, in all states of the file
 * - each object whose number cannot be read
 * - each object of a stream of objects to which a row of an index gives the number (PDF.js uses the row)
 */
export class DocumentObjects {
  readonly #file: Buffer;
  readonly #places = new Map<number, Place[]>();
  /** Positions of objects whose number cannot be read. */
  readonly #unnumbered: Place[] = [];
  readonly #containers: Container[] = [];
  #unpacked: { container: number; content: Buffer } | undefined;

  constructor(file: Buffer) {
    this.#file = file;
  }

  /**
   * Reads every object once. Must be called before `resolve`.
   * @param onItems gets each dictionary and array, inner ones first
   * @param onObject gets each object
   * @throws {Refused} if a stream of objects or an index cannot be unpacked
   */
  read(onItems: (items: PdfItems) => void, onObject: (object: PdfObject) => void): void {
    const indexes: PdfStream[] = [];
    for (const object of readObjects(this.#file, onItems)) {
      const number = parseObjectNumber(this.#file, object.at);
      this.#add(number, { at: object.at + 3 });
      onObject(object);
      if (!object.stream) continue;
      const { items } = object.stream.dictionary;
      // Viewers decide by these keys, not by the type.
      if (items.includes('/N') && items.includes('/First')) {
        this.#containers.push({ ...object.stream, number, entries: [] });
      } else if (items.includes('/W')) {
        indexes.push(object.stream);
      }
    }
    for (const container of this.#containers.keys()) this.#readContainer(container, onItems, onObject);
    const byNumber = Map.groupBy(this.#containers.keys(), (container) => this.#containers[container]!.number);
    for (const index of indexes) this.#addAliases(index, byNumber);
  }

  /** Yields all objects that viewers could find under a number. */
  resolve(number: number): Generator<PdfObject> {
    return this.#resolve(number, () => true);
  }

  *#resolve(number: number, isMeant: (place: Place) => boolean, aliases = 0): Generator<PdfObject> {
    for (const place of [...(this.#places.get(number) ?? []), ...this.#unnumbered]) {
      if (!isMeant(place)) continue;
      const [object, target] = this.#readAt(place);
      if (!object) continue;
      if (target === undefined) yield object;
      else if (aliases === MAX_ALIASES) throw new Refused(UNREADABLE);
      else yield* this.#resolve(target, isMeant, aliases + 1);
    }
  }

  /** Returns the content of a stream; undefined if it cannot be determined. */
  readContent(stream: PdfStream, maxBytes: number): Buffer | undefined {
    return unpackStream(
      this.#file,
      stream,
      maxBytes,
      this.#findLengths(stream, () => true),
    );
  }

  /** Returns the possible values of a length that is an indirect object. */
  #findLengths({ dictionary }: PdfStream, isMeant: (place: Place) => boolean): number[] {
    const candidates = listReferences(dictionary, '/Length').flatMap((number) => [...this.#resolve(number, isMeant)]);
    return candidates.map(({ value }) => value).filter((value) => typeof value === 'number');
  }

  /** Returns the object at a position and, if it is a reference, the number that it refers to. */
  #readAt({ at, container }: Place): [object: PdfObject | undefined, target?: number] {
    const bytes = container === undefined ? this.#file : this.#contentOfContainer(container);
    const reader = new ObjectReader(bytes, () => undefined);
    const value = reader.readAt(at);
    if (value === undefined) return [undefined];
    if (container === undefined) {
      const stream = streamAfter(bytes, reader, value);
      if (stream) return [{ value, stream, at: at - 3 }];
    }
    const object = { value, at: container === undefined ? at - 3 : undefined };
    if (typeof value !== 'number') return [object];
    const [, keyword] = [reader.readAt(reader.position), reader.readAt(reader.position)];
    return keyword === 'R' ? [object, value] : [object];
  }

  #add(number: number | undefined, place: Place): void {
    if (number === undefined) this.#unnumbered.push(place);
    else if (this.#places.has(number)) this.#places.get(number)!.push(place);
    else this.#places.set(number, [place]);
  }

  /**
   * Reads a stream of objects. Every dictionary in it begins with two brackets, wherever the table at its start points,
   * even in the middle of a string.
   */
  #readContainer(container: number, onItems: (items: PdfItems) => void, onObject: (object: PdfObject) => void): void {
    const content = this.#contentOfContainer(container);
    const { dictionary, entries } = this.#containers[container]!;
    for (const [number, at] of readStreamEntries(content, dictionary)) {
      entries.push([number, at]);
      this.#add(number, { at, container });
      const value = new ObjectReader(content, () => undefined).readAt(at);
      if (value !== undefined) onObject({ value });
    }
    const isRead = new Uint8Array(content.length);
    const reader = new ObjectReader(content, (items, start) => {
      isRead[start] = 1;
      onItems(items);
    });
    for (let at = content.indexOf('<<'); at >= 0; at = content.indexOf('<<', at + 1)) {
      if (isRead[at]) continue;
      reader.readAt(at);
      if (dataPlace(content, reader) !== undefined) throw new Refused(UNREADABLE);
    }
  }

  #contentOfContainer(container: number): Buffer {
    if (this.#unpacked?.container !== container) {
      const stream = this.#containers[container]!;
      // The stream's own length is never in a stream of objects, which could be this one.
      const lengths = this.#findLengths(stream, (place) => place.container === undefined);
      const content = unpackStream(this.#file, stream, MAX_INDEX_BYTES, lengths);
      if (!content) throw new Refused(UNREADABLE);
      this.#unpacked = { container, content };
    }
    return this.#unpacked.content;
  }

  #addAliases(index: PdfStream, containers: ReadonlyMap<number | undefined, number[]>): void {
    const packed = unpackIndexRows(this.#file, index, MAX_INDEX_BYTES);
    const rows = packed && unpredicted(packed, index.dictionary);
    if (!rows) throw new Refused(UNREADABLE);
    for (const row of packedEntries(rows, index.dictionary)) {
      for (const container of [...(containers.get(row.container) ?? []), ...(containers.get(undefined) ?? [])]) {
        const entry = this.#containers[container]!.entries[row.position];
        if (entry && entry[0] !== row.number) this.#add(row.number, { at: entry[1], container });
      }
    }
  }
}

/** Yields the value after each `obj`; passes the value after each `trailer` only to `onItems`. */
export function* readObjects(file: Buffer, onItems: (items: PdfItems) => void): Generator<PdfObject & { at: number }> {
  const reader = new ObjectReader(file, onItems);
  for (let at = file.indexOf('trailer'); at >= 0; at = file.indexOf('trailer', at + 7)) reader.readAt(at + 7);
  for (let at = file.indexOf('obj'); at >= 0; at = file.indexOf('obj', at + 3)) {
    if (file[at - 1] === LETTER_D) continue; // endobj
    const value = reader.readAt(at + 3) ?? 'null';
    yield { at, value, stream: streamAfter(file, reader, value) };
  }
}

function streamAfter(bytes: Buffer, reader: ObjectReader, value: PdfValue): PdfStream | undefined {
  if (!isItems(value)) return undefined;
  const place = dataPlace(bytes, reader);
  return place === undefined ? undefined : { dictionary: value, place };
}

const LETTER_D = 0x64;
/** Number of bytes before `obj` that can contain the number and the generation of an object. */
const HEADER_BYTES = 24;

/**
 * Returns the number of the object whose `obj` is at a position; undefined if viewers could disagree. PDF.js, for
 * example, takes `4.0 0 obj` as object 4.
 */
export function parseObjectNumber(file: Buffer, at: number): number | undefined {
  const header = file.toString('latin1', Math.max(0, at - HEADER_BYTES), at);
  const number = /(?<![\d.+-])(\d+)\s+\d+\s*$/.exec(header)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Yields the numbers and positions of a stream's objects, from the table at its start. */
function* readStreamEntries(content: Buffer, dictionary: PdfItems): Generator<[number, number]> {
  const [first, ...others] = listValues(dictionary, '/First');
  if (typeof first !== 'number' || others.length > 0 || listReferences(dictionary, '/First').length > 0) {
    throw new Refused(UNREADABLE);
  }
  const table = new ObjectReader(content, () => undefined);
  for (let at = 0; at < first; at = table.position) {
    const [number, offset] = [table.readAt(at), table.readAt(table.position)];
    if (typeof number !== 'number' || typeof offset !== 'number') return;
    yield [number, first + offset];
  }
}
