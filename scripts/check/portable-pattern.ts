// Portable patterns mean the same wherever integrators validate: ECMA-262 with and without its flag u, RE2 (Go), Rust's
// regex, Python's re, java.util.regex, .NET and Ruby. `make contract-lint` rejects all other patterns. One difference
// remains, because no common syntax avoids it. In Python, Java and .NET, `$` also matches before a line feed at the
// end; in Ruby, `^` and `$` match at every line.
import {
  hasAllAstral,
  normalNode,
  parsePattern,
  type PatternNode,
  UnsupportedPattern,
} from '../../contract-gate/src/index.ts';

/** The maximum number of repetitions in RE2, with nested repetitions multiplied. */
const MAX_COUNT = 1000;

const ESCAPE = String.raw`\\(?:[\\^$.*+?()[\]{}|]|[tnrf]|x[0-7][0-9A-Fa-f])`;
/**
 * Visible and blank characters of the Basic Multilingual Plane, except the characters that end a regular expression
 * literal.
 */
const LITERAL = String.raw`[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]`;
const inClass = new RegExp(String.raw`${ESCAPE}|\\-|(?![\\[\]])${LITERAL}`, 'y');
const outside = new RegExp(
  String.raw`${ESCAPE}|\((?:\?:|(?!\?))|[)|^$]|(?:[*+?]|\{\d+(?:,\d*)?\})\??(?![*+?])|(?![\\[\](){}.*+?])${LITERAL}`,
  'y',
);
/** Operators on sets: `&&` in Java and Rust, the others in Rust. Python warns about them. */
const SET_OPERATOR = /^(&&|\|\||~~|--)/;
const CLASS_START = /^\[\^?(?!\^?\])/;

/** Replacements for common syntax that is not portable. */
const advice: [syntax: RegExp, instead: string][] = [
  [/^\\u|^\\U/, 'write the character itself, or \\xHH up to \\x7f; RE2 has no \\u'],
  [/^\\x[89a-f]/i, 'write the character itself, or a range that includes it; Ruby reads it as a byte'],
  [/^\\d/i, 'write [0-9]; Python, .NET and Rust match digits of every script'],
  [/^\\w/i, 'write [A-Za-z0-9_]; Python, .NET and Rust match letters of every script'],
  [/^\\[sb]/i, 'write the characters out; the languages differ in which ones match'],
  [/^\./, 'write a negated class; the languages differ in what ends a line'],
  [/^\(\?/, 'use ( or (?: for a group; RE2 and Rust have no assertions'],
  [/^\[\^?\]/, 'ECMA-262 reads it as an empty class, the others as a bracket in a class'],
  [/^\[/, 'escape it; Java and Rust read it as a nested class'],
  [/^[{}\]]/, 'escape it; ECMA-262 rejects it with the flag u'],
  [/^[\u2028\u2029]/, 'it ends the line of a regular expression literal; exclude it from the range'],
  [/^\ufeff/, 'Go rejects sources with a byte order mark; exclude it from the range'],
  [/^[\ud800-\udfff]/, 'without the flag u, ECMA-262 reads it as two characters'],
];

/** Explains why validators disagree about a pattern. Returns undefined if the pattern is portable. */
export function problemOfPattern(pattern: string): string | undefined {
  return problemOfSyntax(pattern) ?? problemOfTree(pattern);
}

function problemOfSyntax(pattern: string): string | undefined {
  let isClass = false;
  for (let at = 0; at < pattern.length;) {
    const rest = pattern.slice(at);
    const boundary = isClass ? (rest[0] === ']' ? 1 : 0) : (CLASS_START.exec(rest)?.[0].length ?? 0);
    const operator = isClass && SET_OPERATOR.exec(rest);
    if (operator) return `${operator[0]} in a class is an operator in Java or Rust; write it once.`;
    const length = boundary || tokenLength(isClass ? inClass : outside, pattern, at);
    if (length === 0) return said(rest);
    if (boundary > 0) isClass = !isClass;
    at += length;
  }
  return undefined;
}

function tokenLength(token: RegExp, pattern: string, at: number): number {
  token.lastIndex = at;
  return token.exec(pattern)?.[0].length ?? 0;
}

function said(rest: string): string {
  const [, instead = 'some languages do not support it'] = advice.find(([syntax]) => syntax.test(rest)) ?? [];
  return `${JSON.stringify(/^\\?[\s\S]/.exec(rest)![0])} is not portable: ${instead}.`;
}

function problemOfTree(pattern: string): string | undefined {
  try {
    const tree = parsePattern(pattern);
    if (getCount(tree) > MAX_COUNT) return `RE2 repeats at most ${MAX_COUNT} times, nested repetitions multiplied.`;
    if (splitsPairs(normalNode(tree))) return 'A negated class must have * or +, or precede a negated class that has.';
  } catch (error) {
    if (error instanceof UnsupportedPattern) return `This is not a valid pattern: ${error.message}.`;
    throw error;
  }
  return undefined;
}

/** Counts repetitions as RE2 does, which copies a part for each repetition. */
function getCount(node: PatternNode): number {
  if (node.kind === 'repeat') return (node.max === Infinity ? Math.max(node.min, 1) : node.max) * getCount(node.part);
  return Math.max(1, ...getParts(node).map(getCount));
}

/**
 * Reports whether a pattern can match half of an astral character, which is two characters in Java, in .NET and without
 * the flag u. A negated class matches each half, so the class is safe only with * or +, or before another
 * negated class with * or +.
 */
function splitsPairs(node: PatternNode): boolean {
  if (isNegated(node)) return true;
  if (isUnbounded(node)) return isNegated(node.part) ? false : splitsPairs(node.part);
  const parts = getParts(node);
  if (node.kind !== 'sequence') return parts.some(splitsPairs);
  return parts.some((part, index) => {
    const next = parts[index + 1];
    const isFollowed = next !== undefined && isUnbounded(next) && isNegated(next.part);
    return isNegated(part) ? !isFollowed : splitsPairs(part);
  });
}

function isNegated(node: PatternNode): boolean {
  return node.kind === 'set' && hasAllAstral(node.set);
}

function isUnbounded(node: PatternNode): node is Extract<PatternNode, { kind: 'repeat' }> {
  return node.kind === 'repeat' && node.max === Infinity;
}

function getParts(node: PatternNode): PatternNode[] {
  if (node.kind === 'sequence') return node.parts;
  if (node.kind === 'choice') return node.options;
  return node.kind === 'repeat' ? [node.part] : [];
}
