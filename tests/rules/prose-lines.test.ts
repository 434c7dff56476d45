import { proseLines } from '../../scripts/check/prose-lines.ts';

const texts = (file: string, text: string) => proseLines(file, () => text).map((line) => [line.text, line.isFirst]);

test('code yields comments and test names, without the code beside them', () => {
  const code = `/**
 * Returns a page.
 * It has no order.
 */
function page() {} // the last one
/** A limit. */
const max = 1; // in bytes
test('an old cursor returns 400', () => {});
const sql = \`
  -- locks the row
  select 1\`;
`;
  expect(texts('src/page.ts', code)).toEqual([
    ['Returns a page.', true],
    ['It has no order.', false],
    ['the last one', true],
    ['A limit.', true],
    ['in bytes', true],
    ['an old cursor returns 400', true],
    ['locks the row', true],
  ]);
});

test('Markdown yields text outside code blocks, with inline code replaced', () => {
  const markdown = '# What it does\n\nSend `told` again.\nIt works.\n\n```sh\n# alone\n```\n';
  expect(texts('docs/page.md', markdown)).toEqual([
    ['What it does', false],
    ['Send `…` again.', true],
    ['It works.', false],
  ]);
});

test('YAML yields descriptions and comments, without keys and references', () => {
  const yaml = `get:
  summary: Read a page
  description: |
    Returns one page.
    It is short.
  parameters: [a, b]
  $ref: '#/components/x y'
  # Kept for clients.
`;
  expect(texts('api/pages.yaml', yaml)).toEqual([
    ['Read a page', true],
    ['Returns one page.', true],
    ['It is short.', false],
    ['Kept for clients.', false],
  ]);
});

test.each(['generated/openapi.json', 'api/released/0.1.0/api.yaml', 'content/courses/phishing/en/01.md', 'a.sql'])(
  '%s has no prose to judge',
  (file) => expect(texts(file, 'What is told.')).toEqual([]),
);
