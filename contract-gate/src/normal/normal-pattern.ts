/** Patterns that every text matches. */
const anything = new Set(['', '^', '$', '.*', '^.*', '.*$', '[\\s\\S]*', '^[\\s\\S]*$']);

/** Tokens of a pattern: an escape, a class, a count, or one character. */
const tokens =
  /\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|k<[^>]*>|\d+|[^])|\[(?:\\[^]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|\(\?:|[^]/g;

const classes: Record<string, string> = { d: '0-9', w: '0-9A-Z_a-z' };
const counts: Record<string, string> = { '{0,}': '*', '{1,}': '+', '{0,1}': '?', '{1}': '', '{1,1}': '' };

/**
 * The pattern in one of its equal spellings: classes written out and sorted, short counts, no idle escapes, no
 * non-capturing groups. A pattern with back references is left as it is.
 * @returns undefined for a pattern that every text matches
 */
export function normalPattern(pattern: string): string | undefined {
  if (anything.has(pattern)) return undefined;
  const found = pattern.match(tokens) ?? [];
  if (found.some((token) => /^\\(?:[1-9]|k)/.test(token))) return pattern;
  return found
    .map((token) => {
      if (token === '(?:') return '(';
      if (token.startsWith('[') && token.length > 1) return normalClass(token);
      if (token.startsWith('\\')) return normalEscape(token);
      return counts[token] ?? token.replace(/^\{(\d+),\1\}$/, '{$1}');
    })
    .join('');
}

function normalEscape(token: string): string {
  const letter = token.slice(1);
  if (Object.hasOwn(classes, letter)) return `[${classes[letter]}]`;
  if (letter === 'D' || letter === 'W') return `[^${classes[letter.toLowerCase()]}]`;
  return /^[^A-Za-z0-9^$\\.*+?()[\]{}|]$/.test(letter) ? letter : token;
}

/** `[A-Z\d]` as `[0-9A-Z]`: its ranges by their first character. A class with other classes in it keeps its text. */
function normalClass(token: string): string {
  const isNegated = token.startsWith('[^');
  const ranges = rangesOf(token.slice(isNegated ? 2 : 1, -1));
  if (ranges === undefined || ranges.length === 0) return token;
  const [first] = ranges;
  if (!isNegated && ranges.length === 1 && first![0] === first![1]) return escaped(first![0]);
  const text = ranges.map(([from, to]) => {
    if (from === to) return inClass(from);
    return `${inClass(from)}${to === from + 1 ? '' : '-'}${inClass(to)}`;
  });
  return `[${isNegated ? '^' : ''}${text.join('')}]`;
}

type Range = [from: number, to: number];

/** The characters of a class, sorted and joined; undefined where it has more than characters. */
function rangesOf(inner: string): Range[] | undefined {
  const written = inner.replaceAll(/\\([dw])/g, (_all, letter: string) => classes[letter]!);
  const parts = [...written.matchAll(/(\\?[^])(?:-(\\?[^]))?/gu)];
  const ranges: Range[] = [];
  for (const [, from, to] of parts) {
    const [first, last] = [codeOf(from!), codeOf(to ?? from!)];
    if (first === undefined || last === undefined || last < first) return undefined;
    ranges.push([first, last]);
  }
  return joined(ranges.toSorted((one, other) => one[0] - other[0] || one[1] - other[1]));
}

function joined(ranges: Range[]): Range[] {
  const made: Range[] = [];
  for (const [from, to] of ranges) {
    const last = made.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else made.push([from, to]);
  }
  return made;
}

const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };

/** Of a character as a class has it; undefined for another class, such as `\s`. */
function codeOf(character: string): number | undefined {
  if (!character.startsWith('\\') || character.length === 1) return character.codePointAt(0);
  const letter = character.slice(1);
  if (Object.hasOwn(controls, letter)) return controls[letter]!.codePointAt(0);
  return /[A-Za-z0-9]/.test(letter) ? undefined : letter.codePointAt(0);
}

function inClass(code: number): string {
  const text = String.fromCodePoint(code);
  return /[\]\\^-]/.test(text) ? `\\${text}` : text;
}

function escaped(code: number): string {
  const text = String.fromCodePoint(code);
  return /[\^$\\.*+?()[\]{}|]/.test(text) ? `\\${text}` : text;
}
