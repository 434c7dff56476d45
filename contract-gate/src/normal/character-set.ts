/** A set of code points as ranges in ascending order that neither overlap nor touch. */
export type CharacterSet = readonly Range[];
export type Range = readonly [first: number, last: number];

const LAST = 0x10_ff_ff;
const SHORT = 0xff_ff;

export const digits = toCharacterSet([[0x30, 0x39]]);
export const wordCharacters = toCharacterSet([...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]);
/** The characters of `\s` in ECMA-262: white space and line terminators. */
export const spaces = toCharacterSet([
  ...([0x20, 0xa0, 0x16_80, 0x20_2f, 0x20_5f, 0x30_00, 0xfe_ff] as const).map((one): Range => [one, one]),
  ...[[0x09, 0x0d] as const, [0x20_00, 0x20_0a] as const, [0x20_28, 0x20_29] as const],
]);
/** The characters that `.` does not match. */
export const lineTerminators = toCharacterSet([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x20_28, 0x20_29],
]);

export function toCharacterSet(ranges: readonly Range[]): CharacterSet {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = merged.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

export function complement(set: CharacterSet): CharacterSet {
  const starts = [0, ...set.map(([, last]) => last + 1)];
  const ends = [...set.map(([first]) => first - 1), LAST];
  return starts.map((start, index): Range => [start, ends[index]!]).filter(([first, last]) => first <= last);
}

/** Reports whether the set contains every character outside the Basic Multilingual Plane, as a negated class does. */
export function hasAllAstral(set: CharacterSet): boolean {
  return set.some(([first, last]) => first <= SHORT + 1 && last === LAST);
}

/** Writes the set as a class, or as one character. */
export function printSet(set: CharacterSet): string {
  const [[first, last] = [0, -1], ...others] = set;
  if (others.length === 0 && first === last) return printCharacter(first);
  const isNegated = hasAllAstral(set);
  const ranges = isNegated ? complement(set) : set;
  return `[${isNegated ? '^' : ''}${ranges.map(printRange).join('')}]`;
}

function printRange([first, last]: Range): string {
  return first === last ? printCharacter(first) : `${printCharacter(first)}-${printCharacter(last)}`;
}

function printCharacter(code: number): string {
  const character = String.fromCodePoint(code);
  if (/^[ !"#%&',/:;<=>@_`~A-Za-z0-9]$/.test(character)) return character;
  if (/^[!-~]$/.test(character)) return `\\${character}`;
  return code > SHORT ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
