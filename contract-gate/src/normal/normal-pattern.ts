import { type CharacterSet, printSet, toCharacterSet } from './character-set.ts';
import { parsePattern, type PatternNode, UnsupportedPattern } from './parse-pattern.ts';

/**
 * Returns a pattern in normal form. Spellings of the same characters (`\d`, `[0-9]`, `\u0030-\u0039`), groups and
 * repetitions have the same normal form. Patterns with different normal forms might still match the same texts. A
 * pattern with assertions, back references or Unicode properties is returned unchanged.
 */
export function normalPattern(pattern: string): string {
  try {
    return print(normalNode(parsePattern(pattern)));
  } catch (error) {
    if (error instanceof UnsupportedPattern) return pattern;
    throw error;
  }
}

export function normalNode(node: PatternNode): PatternNode {
  if (node.kind === 'sequence') return normalSequence(node.parts.map(normalNode));
  if (node.kind === 'choice') return normalChoice(node.options.map(normalNode));
  if (node.kind !== 'repeat') return node;
  const part = normalNode(node.part);
  return node.min === 1 && node.max === 1 ? part : { ...node, part };
}

function normalSequence(parts: PatternNode[]): PatternNode {
  const made: PatternNode[] = [];
  for (const part of parts.flatMap((one) => (one.kind === 'sequence' ? one.parts : [one]))) {
    const before = made.at(-1);
    const joined = before && (unrolled(before, part) ?? repeatedAgain(before, part));
    if (joined) made[made.length - 1] = joined;
    else made.push(part);
  }
  return made.length === 1 ? made[0]! : { kind: 'sequence', parts: made };
}

/** Rewrites an unrolled loop, `x*(yx*)*`, as `[xy]*`. */
function unrolled(before: PatternNode, part: PatternNode): PatternNode | undefined {
  if (!isStar(before) || !isStar(part) || part.part.kind !== 'sequence' || before.part.kind !== 'set') return undefined;
  const [special, normal, ...others] = part.part.parts;
  if (others.length > 0 || special?.kind !== 'set' || normal === undefined || print(normal) !== print(before))
    return undefined;
  return { ...before, part: union(before.part.set, special.set) };
}

/** Joins two repetitions of the same part: `xx*` to `x+`. */
function repeatedAgain(before: PatternNode, part: PatternNode): PatternNode | undefined {
  const [one, other] = [asRepeat(before), asRepeat(part)];
  if (one.part.kind === 'anchor' || print(one.part) !== print(other.part)) return undefined;
  return { kind: 'repeat', part: one.part, min: one.min + other.min, max: one.max + other.max };
}

/** Joins options that are one character each. */
function normalChoice(given: PatternNode[]): PatternNode {
  const options = given.flatMap((one) => (one.kind === 'choice' ? one.options : [one]));
  const [first, ...sets] = options.filter((one) => one.kind === 'set');
  if (!first || sets.length === 0) return { kind: 'choice', options };
  const joined = union(first.set, ...sets.map(({ set }) => set));
  const others = options.filter((one) => one.kind !== 'set');
  return others.length === 0 ? joined : { kind: 'choice', options: [joined, ...others] };
}

function union(...sets: CharacterSet[]): PatternNode {
  return { kind: 'set', set: toCharacterSet(sets.flat()) };
}

type Repeat = Extract<PatternNode, { kind: 'repeat' }>;

function isStar(node: PatternNode): node is Repeat {
  return node.kind === 'repeat' && node.min === 0 && node.max === Infinity;
}

function asRepeat(node: PatternNode): Repeat {
  return node.kind === 'repeat' ? node : { kind: 'repeat', part: node, min: 1, max: 1 };
}

function print(node: PatternNode): string {
  if (node.kind === 'set') return printSet(node.set);
  if (node.kind === 'anchor') return node.anchor;
  if (node.kind === 'choice') return node.options.map(print).join('|');
  if (node.kind === 'repeat') return `${printAlone(node.part)}${printCount(node)}`;
  return node.parts.map((part) => (part.kind === 'choice' ? `(${print(part)})` : print(part))).join('');
}

function printAlone(node: PatternNode): string {
  return node.kind === 'set' ? print(node) : `(${print(node)})`;
}

function printCount({ min, max }: Repeat): string {
  if (max === Infinity) return ['*', '+'][min] ?? `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}
