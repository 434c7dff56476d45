import { csvLine } from '../../src/http/response/send-list.ts';

test('csvLine separates values with commas and quotes those that need it', () => {
  expect(csvLine(['a', 'b,c', 'say "x"', 'two\r\nlines', '', 'ü'])).toBe('a,"b,c","say ""x""","two\r\nlines",,ü\r\n');
});

test('csvLine writes null as empty and objects and lists as JSON', () => {
  expect(csvLine([null, undefined, 3, true, ['a', 'b'], [{ count: 1 }]])).toBe(
    `,,3,true,"[""a"",""b""]","[{""count"":1}]"\r\n`,
  );
});

/** Splits a line at `separator`, treating quotes as in RFC 4180, and returns its cells. */
function cellsAt(line: string, separator: string): string[] {
  const cell = `"(?:[^"]|"")*"[^${separator}\r\n]*|[^${separator}\r\n]*`;
  return [...line.matchAll(new RegExp(`(${cell})(?:[${separator}\r\n]|$)`, 'g'))].map(([, text]) => {
    const quoted = /^"((?:[^"]|"")*)"([^]*)$/.exec(text!);
    return quoted ? quoted[1]!.replaceAll('""', '"') + quoted[2]! : text!;
  });
}

const FORMULA = /^[\s"\u200B-\u200F\u2060]*[=+\-@＝＋－＠﹦﹢﹣﹫]/;

test.each([
  ...['=1+1', '+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '－1', '﹦1+1'],
  ...['x;=1+1', 'x; =1+1', 'x;"=1+1"', 'x;""=1', 'x\t=1', 'x\n@SUM(A1)', 'x\r\n+1', 'x\u2028=1', 'x;＝1'],
  ...[' =1+1', '\u00A0=1', '\u200B=1', '\uFEFF=1', '" =1', ';=1', ';;-2+3', '=1;=2\t=3\n=4', '-1;-2'],
])('no spreadsheet finds a formula in %j, with any separator', (text) => {
  const line = csvLine(['before', text, 'after']);
  for (const separator of [',', ';', '\t']) {
    expect(cellsAt(line, separator).filter((cell) => FORMULA.test(cell))).toEqual([]);
  }
});

test('no formula is found in a list, which is JSON in one cell', () => {
  const line = csvLine([['x;=1+1', 'x;"=2'], 3]);
  for (const separator of [',', ';', '\t'])
    expect(cellsAt(line, separator).filter((cell) => FORMULA.test(cell))).toEqual([]);
  expect(csvLine([[-5, 'a']])).toBe('"[-5,""a""]"\r\n');
});

test.each([
  [-5, '-5'],
  ['-5', '-5'],
  ['-5.25', '-5.25'],
  ['+49 30 1234', "'+49 30 1234"],
])('a number stays a number: %j is written as %s', (value, cell) => {
  expect(csvLine([value])).toBe(`${cell}\r\n`);
});

test.each(['a;b', 'a\tb', ' a', 'a ', 'a\rb', 'a|b', 'a\u2028b'])('%j is quoted', (text) => {
  expect(csvLine([text])).toBe(`"${text}"\r\n`);
});

test('a formula character that is not at the start leaves the text unchanged', () => {
  expect(csvLine(['a=1', '0-1', 'x@y.test'])).toBe('a=1,0-1,x@y.test\r\n');
});
