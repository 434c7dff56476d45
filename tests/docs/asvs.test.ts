import { existsSync, readFileSync } from 'node:fs';

/** The requirements of levels 1 and 2 in ASVS 5.0.0, by section. Level 3 is left out, so some numbers are missing. */
const SECTIONS: Record<string, readonly number[]> = {
  '6.1': [1, 2, 3],
  '6.2': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  '6.3': [1, 2, 3, 4],
  '6.4': [1, 2, 3, 4],
  '6.5': [1, 2, 3, 4, 5],
  '6.6': [1, 2, 3],
  '6.8': [1, 2, 3, 4],
  '7.1': [1, 2, 3],
  '7.2': [1, 2, 3, 4],
  '7.3': [1, 2],
  '7.4': [1, 2, 3, 4, 5],
  '7.5': [1, 2],
  '7.6': [1, 2],
  '8.1': [1, 2],
  '8.2': [1, 2, 3],
  '8.3': [1],
  '8.4': [1],
  '10.1': [1, 2],
  '10.2': [1, 2],
  '10.3': [1, 2, 3, 4],
  '10.4': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '10.5': [1, 2, 3, 4, 5],
  '10.6': [1, 2],
  '10.7': [1, 2, 3],
};

const REQUIREMENTS = Object.entries(SECTIONS).flatMap(([section, own]) => own.map((number) => `${section}.${number}`));

interface Row {
  /** The heading of the table. */
  section: string;
  numbers: string[];
  answer: string;
  tests: string;
}

const text = readFileSync('docs/asvs.md', 'utf8');
const findNumbers = (cell: string) => cell.match(/\b\d+\.\d+\.\d+\b/g) ?? [];
const rows = text.split(/^### /m).flatMap((part): Row[] => {
  const cells = part.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const found = cells.filter(([, first, ...others]) => others.length === 4 && findNumbers(first!).length > 0);
  return found.map(([, first, , answer, tests]) => ({
    ...{ section: /^[\d.]+/.exec(part)![0], numbers: findNumbers(first!) },
    ...{ answer: answer!, tests: tests! },
  }));
});
const hasGap = ({ answer }: Row) => /^\*\*(Partly|Not) met/.test(answer);

test('the document has each requirement of levels 1 and 2 once, in its section', () => {
  expect(rows.flatMap(({ numbers }) => numbers)).toEqual(REQUIREMENTS);
  expect(REQUIREMENTS).toHaveLength(Number(/all (\d+)\s+requirements/.exec(text)![1]));
  for (const { section, numbers } of rows) {
    expect(numbers.map((number) => number.replace(/\.\d+$/, ''))).toEqual(numbers.map(() => section));
  }
});

test('the tests that the document names exist', () => {
  const files = [...text.matchAll(/`(tests\/[^`]+)`/g)].map(([, file]) => file!);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test('each requirement names a test, unless nothing here could break it', () => {
  const untested = rows.filter(({ tests }) => !/^`tests\/[^`]+\.test\.ts`(, `tests\/[^`]+\.test\.ts`)*$/.test(tests));
  expect(untested.map(({ tests }) => tests)).toEqual(untested.map(() => '–'));
  expect(
    untested.filter(({ answer }) => !answer.startsWith('**Not applicable.**')).map(({ numbers }) => numbers),
  ).toEqual([['6.4.2']]);
});

test('the list of gaps has the requirements that are not or only partly met', () => {
  const list = /^## What is not met\n([^]*?)^E-mail/m.exec(text)![1]!;
  const listed = findNumbers(list).toSorted();
  expect(listed).toEqual(
    rows
      .filter(hasGap)
      .flatMap(({ numbers }) => numbers)
      .toSorted(),
  );
});
