import { type ApiError, invalidField } from '../../contract/errors.ts';

/** Bounds of a JSON document, independent of its schema. */
export interface Bounds {
  /** Maximum number of levels of nested lists and objects. */
  maxDepth: number;
  /** Maximum number of names in one object. */
  maxNames: number;
  /** Maximum number of items in one list. */
  maxItems: number;
  /** Maximum number of values in the whole document, including lists and objects. */
  maxValues: number;
}

/** The widest bounds: wide enough for every body in the contract, and narrow enough to protect the parser. */
export const WIDEST: Bounds = { maxDepth: 32, maxNames: 1000, maxItems: 10_000, maxValues: 500_000 };

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Checks a JSON document against bounds before it is parsed, in one pass over its bytes, in chunks as they arrive. The
 * first value beyond a bound ends the check, so only the beginning of a document that was made to keep a parser busy is
 * read. The document can be invalid JSON, which the parser then rejects.
 */
export class JsonBounds {
  readonly #bounds: Bounds;
  #depth = 0;
  /** Number of commas so far in the open list or object, by depth. */
  readonly #commas: Uint32Array;
  /** 1 if the open list or object is an object, by depth. */
  readonly #isObject: Uint8Array;
  #values = 1;
  #isInString = false;
  /** Whether the last byte of the previous chunk escapes the first byte of this chunk. */
  #isEscaped = false;
  /** The latest string of the outermost object; undefined if it was split across chunks. */
  #latestString: Uint8Array | undefined;
  /** The name of the open field of the outermost object; undefined if it was split across chunks. */
  #field: Uint8Array | undefined;

  constructor(bounds: Partial<Bounds> = {}) {
    this.#bounds = { ...WIDEST, ...bounds };
    this.#commas = new Uint32Array(this.#bounds.maxDepth + 1);
    this.#isObject = new Uint8Array(this.#bounds.maxDepth + 1);
  }

  /** The number of values so far, without the names of fields. */
  get values(): number {
    return this.#values;
  }

  /** Checks the next chunk. @throws {ApiError} `invalid_request` naming the field and the bound that it exceeds */
  read(bytes: Buffer): void {
    let at = this.#isInString ? this.#endOfString(bytes, 0) : 0;
    while (at < bytes.length) {
      const byte = bytes[at]!;
      at += 1;
      if (byte === QUOTE) at = this.#endOfString(bytes, at);
      else if (byte === COMMA) this.#count();
      else if (byte === COLON) this.#nameField();
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#open(byte === OPEN_OBJECT);
      else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && this.#depth > 0) this.#depth -= 1;
    }
  }

  #open(isObject: boolean): void {
    const { maxDepth } = this.#bounds;
    if (this.#depth === maxDepth) throw invalidField('body', `must be nested at most ${maxDepth} levels deep`);
    this.#depth += 1;
    this.#commas[this.#depth] = 0;
    this.#isObject[this.#depth] = Number(isObject);
    this.#countValue();
  }

  #count(): void {
    const { maxNames, maxItems } = this.#bounds;
    const commas = (this.#commas[this.#depth]! += 1);
    const isObject = this.#isObject[this.#depth] === 1;
    // A trailing comma is invalid JSON, so n commas mean n + 1 items.
    if (commas < (isObject ? maxNames : maxItems) || this.#depth === 0) return this.#countValue();
    throw this.#refusal(isObject ? `must have at most ${maxNames} fields` : `must have at most ${maxItems} items`);
  }

  #countValue(): void {
    this.#values += 1;
    const { maxValues } = this.#bounds;
    if (this.#values > maxValues) throw this.#refusal(`must have at most ${maxValues} values in total`);
  }

  #nameField(): void {
    if (this.#depth === 1) this.#field = this.#latestString;
  }

  /** Returns the index after the quote that ends the string, or the end of the chunk if the string continues. */
  #endOfString(bytes: Buffer, start: number): number {
    let from = start;
    for (let quote = bytes.indexOf(QUOTE, from); quote !== -1; quote = bytes.indexOf(QUOTE, from)) {
      const isEscaped = this.#isEscapedAt(bytes, from, quote);
      this.#isEscaped = false;
      from = quote + 1;
      if (isEscaped) continue;
      if (this.#depth === 1) this.#latestString = this.#isInString ? undefined : bytes.subarray(start, quote);
      this.#isInString = false;
      return from;
    }
    this.#isEscaped = this.#isEscapedAt(bytes, from, bytes.length);
    this.#isInString = true;
    return bytes.length;
  }

  /** Reports whether the byte at an index is escaped. Looks back to `from`, where the string begins or continues. */
  #isEscapedAt(bytes: Buffer, from: number, at: number): boolean {
    let first = at;
    while (first > from && bytes[first - 1] === BACKSLASH) first -= 1;
    const backslashes = at - first;
    return (backslashes + Number(first === from && this.#isEscaped)) % 2 === 1;
  }

  #refusal(message: string): ApiError {
    const isWithin = this.#depth > 1 && this.#isObject[1] === 1 && this.#field !== undefined;
    return invalidField(isWithin ? `body/${Buffer.from(this.#field!).toString()}` : 'body', message);
  }
}
