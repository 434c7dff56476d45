import { globSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');
const MAX_WORDS = 40;
/** Number of files; a type that more files import must have a self-explanatory name. */
const MANY_FILES = 5;

const terms = [...read('docs/glossary.md').matchAll(/^- \*\*(.+?)\*\*: (.+)$/gm)].map(([, term]) => term!);

/** Words that programmers know from any project. */
const OF_THE_FIELD = `
  access aborted addresses cache caller command config console directory element env error feed fetch find handler html
  language logger messages meta metrics origin reader release response rows scim sign sql statement texts usage writer
  xml`.match(/\w+/g)!;

function wordsOf(name: string): string[] {
  return name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
}

const contract = [...read('generated/openapi.json').matchAll(/"([A-Za-z]+)":/g)].flatMap(([, name]) => wordsOf(name!));
const known = new Set([...contract, ...OF_THE_FIELD, ...terms.flatMap((term) => term.split(' '))]);

/** Collects the imported types of src/ with the files that import each. */
function importedTypes(): Map<string, Set<string>> {
  const files = new Map<string, Set<string>>();
  for (const file of globSync('src/**/*.ts', { cwd: ROOT })) {
    for (const [, names] of read(file).matchAll(/import (?:type )?\{([^}]*)\} from '\.[^']*'/g)) {
      const types = names!.split(',').map((name) => /^\s*(?:type )?([A-Z][a-z]\w*)/.exec(name)?.[1]);
      for (const type of types) if (type) files.set(type, (files.get(type) ?? new Set()).add(file));
    }
  }
  return files;
}

test('the glossary has at most forty sorted entries of one line each', () => {
  const lines = read('docs/glossary.md').split('\n');
  expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(terms.length);
  expect(terms.length).toBeGreaterThan(0);
  expect(terms.length).toBeLessThanOrEqual(MAX_WORDS);
  expect(terms).toEqual([...new Set(terms)].toSorted());
});

test('a widely used type is named with words of the contract, the field or the glossary', () => {
  const many = [...importedTypes()].filter(([, files]) => files.size > MANY_FILES).map(([name]) => name);
  expect(many.length).toBeGreaterThan(30);
  const isKnown = (word: string) => known.has(word) || known.has(word.replace(/s$/, ''));
  const unknown = many.filter((name) => !wordsOf(name).every(isKnown));
  expect(unknown).toEqual([]);
});

test('the glossary repeats no word of the field', () => {
  expect(terms.filter((term) => OF_THE_FIELD.includes(term))).toEqual([]);
});
