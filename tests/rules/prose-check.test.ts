import { htmlPassages, yamlPassages } from '../../scripts/prose-check/content.ts';
import { contractPassages } from '../../scripts/prose-check/contract.ts';
import { markdownPassages } from '../../scripts/prose-check/markdown.ts';
import { messagePassages } from '../../scripts/prose-check/messages.ts';
import type { Part, Passage } from '../../scripts/prose-check/passages.ts';
import { applyExceptions, isAboutMarkup, locate } from '../../scripts/prose-check/review.ts';

/** Joins parts into the text that LanguageTool reads. */
const read = (parts: readonly Part[]) => parts.map((part) => ('text' in part ? part.text : part.interpretAs)).join('');
const placed = (passages: readonly Passage[]) => passages.map(({ line, parts }) => [line, read(parts)]);
const origin = { file: 'x.md', line: 1, language: 'en' } as const;

test('Markdown yields headings, paragraphs, items and cells with their lines', () => {
  const text = `# Keys

A key has **one** \`scope\`, see
[the guide](scopes.md).

<!-- A comment -->

- an item with an \`id\`

\`\`\`sh
make check
\`\`\`

| Name | Use |
| ---- | --- |
| one  | two |
`;
  expect(placed(markdownPassages(text, origin))).toEqual([
    [1, 'Keys'],
    [3, 'A key has one London, see\nthe guide.'],
    [8, 'an item with an Oslo'],
    [14, 'Name'],
    [14, 'Use'],
    [16, 'one'],
    [16, 'two'],
  ]);
});

test('the description of a picture is a passage', () => {
  expect(placed(markdownPassages('![A dog](dog.png)', origin))).toEqual([[1, 'A dog']]);
});

test('a contract yields each description once, without examples', () => {
  const contract = {
    paths: { '/a': { summary: 'List keys', description: 'Lists.', example: { description: 'Data' } } },
    properties: { description: { type: 'string', description: 'Lists.' } },
  };
  const passages = contractPassages('c.json', contract);
  expect(passages.map(({ pointer, parts }) => [pointer, read(parts)])).toEqual([
    ['/paths/~1a/summary', 'List keys'],
    ['/paths/~1a/description', 'Lists.'],
  ]);
});

test('messages are read by language, with numbers and nouns for their values', () => {
  const source = `
export const messages: Record<Language, M> = {
  en: { one: 'A key', many: (count) => \`\${count} \${count === 1 ? 'key' : 'keys'} of \${company}\`, to: '/console' },
  de: { one: 'Ein Schlüssel' },
};
export const texts = [{ language: 'fr', title: 'Une clé' }];
`;
  const passages = messagePassages('src/x-messages.ts', source);
  expect(passages.map(({ language, line, parts }) => [language, line, read(parts)])).toEqual([
    ['en', 3, 'A key'],
    ['en', 3, '12 keys of London'],
    ['de', 4, 'Ein Schlüssel'],
    ['fr', 6, 'Une clé'],
  ]);
});

test('content is read by the language of its file or key, without identifiers', () => {
  const source = 'id: 01-keys\nnames:\n  en: My keys\n  de: Meine Schlüssel\ntext: |-\n  Hello {{name}},\n\n  bye.\n';
  expect(yamlPassages('content/course.yaml', source).map(({ language, parts }) => [language, read(parts)])).toEqual([
    ['en', 'My keys'],
    ['de', 'Meine Schlüssel'],
  ]);
  expect(placed(yamlPassages('content/x/fr.yaml', 'text: |-\n  Bonjour {{name}},\n\n  au revoir.\n'))).toEqual([
    [2, 'Bonjour Paris,'],
    [4, 'au revoir.'],
  ]);
});

test('HTML yields its blocks, with their lines', () => {
  const html = '<p>Hello <b>you</b>&nbsp;all</p>\n<p>Bye</p>';
  expect(placed(htmlPassages(html, origin))).toEqual([
    [1, 'Hello you\u00a0all'],
    [2, 'Bye'],
  ]);
});

test('a finding has its line, words and sentence, and an exception covers it', () => {
  const passages = [{ ...origin, line: 7, parts: [{ text: 'One.\nTwo `' }, { markup: 'x', interpretAs: 'y' }] }];
  const finding = { id: 0, rule: 'R', category: 'C', message: 'm', offset: 5, length: 3, replacements: [] };
  const report = locate(finding, passages);
  expect(report).toMatchObject({ place: 'x.md:8', words: 'Two', sentence: 'Two `x' });
  const exceptions = ['Two', 'Three'].map((text) => ({ rule: 'R', text, because: '' }));
  expect(applyExceptions([report], exceptions)).toEqual({ remaining: [], unused: [exceptions[1]] });
});

test('a finding about two adjacent codes counts as markup, and a finding about a word does not', () => {
  const parts = [
    { text: 'With ' },
    { markup: '`a`', interpretAs: 'x' },
    { text: ' ' },
    { markup: '`b`', interpretAs: 'x' },
  ];
  const finding = { id: 0, rule: 'R', category: 'C', message: 'm', replacements: [] };
  const isMarkup = (offset: number, length: number) =>
    isAboutMarkup({ ...finding, offset, length }, [{ ...origin, parts }]);
  expect([isMarkup(5, 7), isMarkup(0, 8), isMarkup(0, 4)]).toEqual([true, false, false]);
});
