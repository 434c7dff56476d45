import { DirectoryError } from '../resources/directory/directory-error.ts';
import { type FilterValue, type Operator, OPERATORS, type ValueFilter } from '../resources/directory/value-filter.ts';
import { plainName } from './urns.ts';

/** A quoted string, a bracket or a word. Entra's documentation also has strings without quotes. */
const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[()[\]]|[^\s"()[\]]+)/y;
const NAME = /^[A-Za-z][\w$:.-]*$/;
const SUB_ATTRIBUTE = /^\.([A-Za-z][\w$-]*)$/;
const ORDERING: readonly Operator[] = ['gt', 'ge', 'lt', 'le'];
/** Maximum depth of nested groups. Each level is a call on the stack, and real filters are nested less deeply. */
const MAX_DEPTH = 20;

/** @throws {DirectoryError} `invalidFilter` */
export function parseFilter(text: string): ValueFilter {
  const parser = new FilterParser(text);
  const filter = parser.expression();
  parser.requireEnd();
  return filter;
}

/**
 * Reads the filters of RFC 7644 (3.4.2.2), and Entra's `emails[type eq "work"].value eq "a@b"`, which means
 * `emails.type eq "work" and emails.value eq "a@b"`.
 */
class FilterParser {
  readonly #tokens: string[];
  #place = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = splitTokens(text);
  }

  /** @param holder the attribute whose parts are compared, with a trailing dot, such as `emails.` */
  expression(holder = ''): ValueFilter {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw invalidFilter(`must not nest more than ${MAX_DEPTH} groups`);
    const filter = this.#joined('or', () => this.#joined('and', () => this.#factor(holder)));
    this.#depth -= 1;
    return filter;
  }

  requireEnd(): void {
    if (this.#place < this.#tokens.length) throw unreadable();
  }

  #joined(kind: 'and' | 'or', read: () => ValueFilter): ValueFilter {
    const filters = [read()];
    while (this.#takes(kind)) filters.push(read());
    return filters.length === 1 ? filters[0]! : { kind, filters };
  }

  #factor(holder: string): ValueFilter {
    if (this.#tokens[this.#place + 1] === '(' && this.#takes('not'))
      return { kind: 'not', filter: this.#factor(holder) };
    if (this.#takes('(')) return this.#closed(')', holder);
    const name = this.#next();
    if (name === undefined || !NAME.test(name)) throw unreadable();
    const attribute = `${holder}${plainName(name) ?? name.toLowerCase()}`;
    return this.#takes('[') ? this.#valuePath(attribute) : this.#comparison(attribute);
  }

  #closed(bracket: string, holder: string): ValueFilter {
    const filter = this.expression(holder);
    if (!this.#takes(bracket)) throw unreadable();
    return filter;
  }

  #valuePath(attribute: string): ValueFilter {
    const filter = this.#closed(']', `${attribute}.`);
    const [, sub] = SUB_ATTRIBUTE.exec(this.#tokens[this.#place] ?? '') ?? [];
    if (sub === undefined) return filter;
    this.#place += 1;
    return { kind: 'and', filters: [filter, this.#comparison(`${attribute}.${sub.toLowerCase()}`)] };
  }

  #comparison(attribute: string): ValueFilter {
    const word = this.#next();
    if (word === undefined) throw unreadable();
    const operator = OPERATORS.find((candidate) => candidate === word.toLowerCase());
    if (!operator) throw invalidFilter(`is malformed: ${word.slice(0, 50)} is not an operator`);
    if (operator === 'pr') return { kind: 'compare', attribute, operator, value: null };
    const given = this.#next();
    if (given === undefined || /^["()[\]]$/.test(given))
      throw invalidFilter('has a missing value or a missing closing quote');
    const value = parseValue(given);
    if (ORDERING.includes(operator) && typeof value !== 'string')
      throw invalidFilter(`can use \`${operator}\` only with strings`);
    return { kind: 'compare', attribute, operator, value };
  }

  #next(): string | undefined {
    const token = this.#tokens[this.#place];
    this.#place += 1;
    return token;
  }

  #takes(expected: string): boolean {
    const isNext = this.#tokens[this.#place]?.toLowerCase() === expected;
    if (isNext) this.#place += 1;
    return isNext;
  }
}

/** Splits a filter into tokens. An unclosed quote becomes the last token. */
function splitTokens(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let place = 0; place < text.length; place = TOKEN.lastIndex) {
    const [, token] = TOKEN.exec(text) ?? [];
    if (token !== undefined) {
      tokens.push(token);
      continue;
    }
    if (text.slice(place).trim() !== '') tokens.push('"');
    break;
  }
  return tokens;
}

const LITERALS = new Map<string, FilterValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function parseValue(token: string): FilterValue {
  if (token.startsWith('"')) return unescaped(token.slice(1, -1));
  const literal = LITERALS.get(token.toLowerCase());
  return literal === undefined ? token : literal;
}

/**
 * Removes the JSON escapes from a string. Names of Windows domains arrive unescaped, such as `CORP\jane` and
 * `CORP\tom`. An escape that JSON does not define, or that stands for a control character, therefore keeps its
 * backslash: no value here contains control characters.
 */
function unescaped(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (whole, escape: string) => {
    if (escape.length > 1) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return '"\\/'.includes(escape) ? escape : whole;
  });
}

function unreadable(): DirectoryError {
  return invalidFilter('is malformed');
}

export function invalidFilter(why: string): DirectoryError {
  return new DirectoryError('invalidFilter', `\`filter\` ${why}.`);
}
