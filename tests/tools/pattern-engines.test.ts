/** @jest-environment node */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, removeFolders } from '../process/folders.ts';
import { patternsIn } from '../support/patterns.ts';

afterAll(removeFolders);

const documents = ['openapi', 'scim'].map((name) => JSON.parse(readFileSync(`generated/${name}.json`, 'utf8')));
const patterns = [...new Set(documents.flatMap(patternsIn))];
const texts = textsToMatch();

/**
 * Programs that match each pattern against each string and print a line of 0s and 1s per pattern. Rust and .NET need
 * packages.
 */
const engines: [language: string, command: string, program: string, file: 'json' | 'codes'][] = [
  ['Go', 'go run', 'engine.go', 'json'],
  ['Python', 'python3', 'engine.py', 'json'],
  ['Java', 'java', 'Engine.java', 'codes'],
];

test('every pattern matches the same strings in ECMAScript without the flag u', () => {
  expect(differencesOf(answersOf(''), answersOf('u'))).toEqual([]);
});

test.each(engines)('every pattern matches the same strings in %s', async (language, command, program, kind) => {
  const [name, ...args] = command.split(' ') as [string, ...string[]];
  const file = writeTexts(kind);
  const output = await run(name, [...args, join(import.meta.dirname, 'pattern-engines', program), file]);
  if (output === undefined) {
    process.stderr.write(`skipped: ${language} is not installed\n`);
    return;
  }
  expect(differencesOf(output.trim().split('\n'), answersOf('u'))).toEqual([]);
});

/**
 * Returns every character of the Basic Multilingual Plane by itself and between letters, some others, and whole
 * values.
 */
function textsToMatch(): string[] {
  const isSurrogate = (code: number) => code >= 0xd8_00 && code <= 0xdf_ff;
  const codes = Array.from({ length: 0x1_00_00 }, (_, code) => code).filter((code) => !isSurrogate(code));
  const characters = [...codes, 0x1_00_00, 0x1_f6_00, 0x10_ff_ff].map((code) => String.fromCodePoint(code));
  // `$` matches before the end of a last line in Python, Java and .NET, so that line ends are tested only between
  // letters.
  const alone = characters.filter((character) => !/[\n\r\u0085\u2028\u2029]/.test(character));
  const values = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node === 'string' && !/[\n\r]$/.test(node)) values.add(node);
    else if (node instanceof Object) Object.values(node).forEach(visit);
  };
  documents.forEach(visit);
  const short = [...values].filter((value) => value.length > 0 && value.length < 100);
  const long = ['a'.repeat(15_000), 'a\u2013'.repeat(2000), `${'a'.repeat(5000)}\u0007`];
  return [...alone, ...characters.map((character) => `a${character}b`), ...short, ...long];
}

function writeTexts(kind: 'json' | 'codes'): string {
  const file = join(makeFolder(), 'texts');
  const codesOf = (text: string) => Array.from(text, (character) => character.codePointAt(0)).join(' ');
  const lines = [...patterns.map(codesOf), '', ...texts.map(codesOf)];
  writeFileSync(file, kind === 'json' ? JSON.stringify({ patterns, texts }) : lines.join('\n'));
  return file;
}

function answersOf(flags: string): string[] {
  return patterns.map((pattern) => {
    const expression = new RegExp(pattern, flags);
    return texts.map((text) => (expression.test(text) ? '1' : '0')).join('');
  });
}

/** Returns the first strings per pattern that only one of the two engines matches. */
function differencesOf(found: string[], expected: string[]): unknown[] {
  expect(found).toHaveLength(patterns.length);
  return patterns.flatMap((pattern, index) => {
    const differing = texts.filter((_, at) => found[index]![at] !== expected[index]![at]);
    return differing.length === 0 ? [] : [{ pattern, texts: differing.slice(0, 5) }];
  });
}

/** Returns the output of a program, or undefined if it is not installed. */
function run(command: string, args: string[]): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error?.code === 'ENOENT') resolve(undefined);
      else if (error) reject(new Error(stderr));
      else resolve(stdout);
    });
  });
}
