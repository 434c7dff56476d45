/** Maximum depth of dictionaries and arrays within each other; viewers stop at different depths, some at 64. */
const MAX_DEPTH = 100;

const SPACE = 1;
const DELIMITER = 2;
/** Kinds of bytes that end a name, a number or a keyword. */
const KINDS = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) KINDS[byte] = SPACE;
for (const byte of Buffer.from('()<>[]{}/%')) KINDS[byte] = DELIMITER;

/** A string with its delimiters and escapes. */
export interface PdfString {
  raw: Buffer;
}

/** Content of a dictionary or an array, in order: keys and values are in one list. */
export interface PdfItems {
  items: PdfValue[];
}

/** A name begins with a slash. A reference is three values: two numbers and the keyword `R`. */
export type PdfValue = string | number | PdfString | PdfItems;

/** Reports whether a value is a dictionary or an array. */
export function isItems(value: PdfValue | undefined): value is PdfItems {
  return typeof value === 'object' && 'items' in value;
}

export function isString(value: PdfValue | undefined): value is PdfString {
  return typeof value === 'object' && 'raw' in value;
}

/** Error for a file that is nested too deeply to be read. */
export class NestedTooDeep extends Error {}

/**
 * Reads the objects of a PDF at given positions, and continues after broken syntax, as the most tolerant viewer does. A
 * parser that follows the index sees the objects of one viewer; this reader must see the objects of every viewer.
 */
export class ObjectReader {
  /** Position at which the last value ended. */
  position = 0;
  readonly #bytes: Buffer;
  readonly #onItems: (items: PdfItems, start: number) => void;
  #depth = 0;

  /** @param onItems gets each dictionary and array, inner ones first, and the position at which it begins */
  constructor(bytes: Buffer, onItems: (items: PdfItems, start: number) => void) {
    this.#bytes = bytes;
    this.#onItems = onItems;
  }

  /** Returns the value at or after a position; undefined at the end. A stray closing bracket is a keyword. */
  readAt(place: number): PdfValue | undefined {
    this.position = place;
    return this.#read();
  }

  /** Moves to the first position that is neither white space nor part of a comment, and returns it. */
  skipBlanks(): number {
    const bytes = this.#bytes;
    for (; this.position < bytes.length; this.position++) {
      if (bytes[this.position] === PERCENT) this.#skipLine();
      else if (KINDS[bytes[this.position]!] !== SPACE) break;
    }
    return this.position;
  }

  #read(): PdfValue | undefined {
    const start = this.skipBlanks();
    const [byte, next] = [this.#bytes[start], this.#bytes[start + 1]];
    if (byte === undefined) return undefined;
    if (byte === SLASH) return this.#readName();
    if (byte === LESS) return next === LESS ? this.#readItems(start, 2, '>>') : this.#readHex();
    if (byte === OPEN_BRACKET) return this.#readItems(start, 1, ']');
    if (byte === OPEN_PARENTHESIS) return this.#readString();
    if (KINDS[byte] === DELIMITER) {
      this.position += byte === GREATER && next === GREATER ? 2 : 1;
      return this.#textFrom(start);
    }
    return this.#readWord();
  }

  #readItems(start: number, length: number, closing: string): PdfItems {
    if (++this.#depth > MAX_DEPTH) throw new NestedTooDeep();
    this.position += length;
    const items: PdfValue[] = [];
    for (let value = this.#read(); value !== undefined && value !== closing; value = this.#read()) items.push(value);
    this.#depth--;
    this.#onItems({ items }, start);
    return { items };
  }

  #readName(): string {
    const start = this.position++;
    this.#skipWord();
    const name = this.#textFrom(start);
    if (!name.includes('#')) return name;
    const decoded = name.replace(/#([\da-f]{2})/gi, (_escape, code: string) => String.fromCharCode(parseInt(code, 16)));
    // A viewer written in C ends a name at a null character.
    return decoded.split('\0')[0]!;
  }

  #readWord(): string | number {
    const start = this.position;
    this.#skipWord();
    let number = 0;
    for (let at = start; at < this.position; at++) {
      const digit = this.#bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) return this.#textFrom(start);
      number = number * 10 + digit;
    }
    return number;
  }

  #readString(): PdfString {
    const bytes = this.#bytes;
    const start = this.position;
    let open = 0;
    for (; this.position < bytes.length; this.position++) {
      const byte = bytes[this.position]!;
      if (byte === BACKSLASH) this.position++;
      else if (byte === OPEN_PARENTHESIS) open++;
      else if (byte === CLOSE_PARENTHESIS && --open === 0) break;
    }
    this.position++;
    return { raw: bytes.subarray(start, this.position) };
  }

  #readHex(): PdfString {
    const start = this.position;
    const end = this.#bytes.indexOf('>', start);
    this.position = end < 0 ? this.#bytes.length : end + 1;
    return { raw: this.#bytes.subarray(start, this.position) };
  }

  #skipWord(): void {
    while (this.position < this.#bytes.length && KINDS[this.#bytes[this.position]!] === 0) this.position++;
  }

  #skipLine(): void {
    const bytes = this.#bytes;
    while (this.position < bytes.length && bytes[this.position] !== 10 && bytes[this.position] !== 13) this.position++;
  }

  #textFrom(start: number): string {
    return this.#bytes.toString('latin1', start, this.position);
  }
}

const [ZERO, SLASH, PERCENT, BACKSLASH] = [0x30, 0x2f, 0x25, 0x5c];
const [LESS, GREATER, OPEN_BRACKET] = [0x3c, 0x3e, 0x5b];
const [OPEN_PARENTHESIS, CLOSE_PARENTHESIS] = [0x28, 0x29];

/**
 * Returns the values of a key. Each name counts as a key, and the next value as its value: if keys are repeated or the
 * syntax is broken, viewers disagree about which is which.
 */
export function listValues({ items }: PdfItems, key: string): PdfValue[] {
  return items.filter((_value, index) => items[index - 1] === key);
}

/** Returns the numbers of the referenced objects, anywhere or only as the value of a key. */
export function listReferences({ items }: PdfItems, key?: string): number[] {
  return items.flatMap((value, index) => {
    const number = items[index - 2];
    const isMeant = value === 'R' && (key === undefined || items[index - 3] === key);
    return isMeant && typeof number === 'number' ? [number] : [];
  });
}
