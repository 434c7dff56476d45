import {
  type CharacterSet,
  complement,
  digits,
  lineTerminators,
  type Range,
  toCharacterSet,
  spaces,
  wordCharacters,
} from './character-set.ts';

/** A pattern as a tree. A group is the node inside it, because validators read no captures. */
export type PatternNode =
  | { kind: 'set'; set: CharacterSet }
  | { kind: 'anchor'; anchor: '^' | '$' }
  | { kind: 'sequence'; parts: PatternNode[] }
  | { kind: 'choice'; options: PatternNode[] }
  | { kind: 'repeat'; part: PatternNode; min: number; max: number };

/** Thrown for unsupported syntax (assertions, back references, Unicode properties) and invalid patterns. */
export class UnsupportedPattern extends Error {}

const classes: Record<string, CharacterSet> = { d: digits, w: wordCharacters, s: spaces };
const controls: Record<string, number> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d, '0': 0 };
const quantifier = /[*+?]|\{(\d+)(,(\d*))?\}/y;
const escape = /\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|u\{([\dA-Fa-f]{1,6})\}|c([A-Za-z])|([\s\S]))/y;

/**
 * Parses a pattern of ECMA-262 with the flag `u`.
 * @throws {UnsupportedPattern}
 */
export function parsePattern(pattern: string): PatternNode {
  const parser = new Parser(pattern);
  const node = parser.choice();
  if (!parser.isAtEnd()) throw new UnsupportedPattern('a closing parenthesis without an opening one');
  return node;
}

class Parser {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#pattern.length;
  }

  choice(): PatternNode {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.isAtEnd() && !this.#isNext('|') && !this.#isNext(')')) parts.push(this.#repeated(this.#atom()));
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  #repeated(part: PatternNode): PatternNode {
    const found = this.#match(quantifier);
    if (!found) return part;
    this.#take('?'); // A lazy quantifier matches the same texts.
    const [sign, least, more, most] = found;
    if (sign === '*') return { kind: 'repeat', part, min: 0, max: Infinity };
    if (sign === '+') return { kind: 'repeat', part, min: 1, max: Infinity };
    if (sign === '?') return { kind: 'repeat', part, min: 0, max: 1 };
    const max = more === undefined ? Number(least) : most ? Number(most) : Infinity;
    return { kind: 'repeat', part, min: Number(least), max };
  }

  #atom(): PatternNode {
    if (this.#take('^')) return { kind: 'anchor', anchor: '^' };
    if (this.#take('$')) return { kind: 'anchor', anchor: '$' };
    if (this.#take('(')) return this.#group();
    if (this.#take('[')) return { kind: 'set', set: this.#class() };
    if (this.#take('.')) return { kind: 'set', set: complement(lineTerminators) };
    if (this.#isNext('*', '+', '?', '{', '}', ']')) throw new UnsupportedPattern(`a bare ${this.#pattern[this.#at]!}`);
    return { kind: 'set', set: this.#member() };
  }

  #group(): PatternNode {
    if (this.#take('?') && !this.#take(':')) throw new UnsupportedPattern('an assertion or a named group');
    const node = this.choice();
    if (!this.#take(')')) throw new UnsupportedPattern('a group without an end');
    return node;
  }

  #class(): CharacterSet {
    const isNegated = this.#take('^');
    const ranges: Range[] = [];
    while (!this.#take(']')) {
      const from = this.#member();
      if (this.#isNext('-') && this.#pattern[this.#at + 1] !== ']') {
        this.#at += 1;
        ranges.push([getOnlyCode(from), getOnlyCode(this.#member())]);
      } else ranges.push(...from);
    }
    if (ranges.some(([first, last]) => first > last)) throw new UnsupportedPattern('a range that runs backwards');
    return isNegated ? complement(toCharacterSet(ranges)) : toCharacterSet(ranges);
  }

  /** Parses a character, literal or escaped, or a class such as `\d`. */
  #member(): CharacterSet {
    if (this.isAtEnd()) throw new UnsupportedPattern('a class without an end');
    const found = this.#match(escape);
    if (!found) {
      if (this.#isNext('\\')) throw new UnsupportedPattern('a backslash at the end');
      const code = this.#pattern.codePointAt(this.#at)!;
      this.#at += code > 0xff_ff ? 2 : 1;
      return [[code, code]];
    }
    const [, two, four, braced, control, name] = found;
    const hex = two ?? four ?? braced;
    const code = hex === undefined ? readCode(control, name) : Number.parseInt(hex, 16);
    return code === undefined ? readClass(name!) : [[code, code]];
  }

  #isNext(...signs: string[]): boolean {
    return signs.includes(this.#pattern[this.#at] ?? '');
  }

  #take(sign: string): boolean {
    const isThere = this.#isNext(sign);
    if (isThere) this.#at += 1;
    return isThere;
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern);
    if (found) this.#at = expression.lastIndex;
    return found;
  }
}

function readCode(control: string | undefined, name: string | undefined): number | undefined {
  if (control !== undefined) return control.toUpperCase().charCodeAt(0) - 0x40;
  return /[A-Za-z0-9]/.test(name!) ? controls[name!] : name!.codePointAt(0);
}

function readClass(name: string): CharacterSet {
  const set = classes[name.toLowerCase()];
  if (set === undefined) throw new UnsupportedPattern(`\\${name}`);
  return name === name.toLowerCase() ? set : complement(set);
}

function getOnlyCode(set: CharacterSet): number {
  const [[first, last] = [0, -1]] = set;
  if (set.length !== 1 || first !== last) throw new UnsupportedPattern('a range between classes');
  return first;
}
