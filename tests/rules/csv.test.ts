import { csvLine } from '../../src/web/csv.ts';

test('a line has its values with commas between them, and quotes around what needs them', () => {
  expect(csvLine(['a', 'b,c', 'say "x"', 'two\r\nlines', '', 'ü'])).toBe('a,"b,c","say ""x""","two\r\nlines",,ü\r\n');
});

test('null is empty, and what is no text is JSON', () => {
  expect(csvLine([null, undefined, 3, true, ['a', 'b'], [{ count: 1 }]])).toBe(
    `,,3,true,"[""a"",""b""]","[{""count"":1}]"\r\n`,
  );
});

test.each(['=1+1', '+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '－1'])(
  'a spreadsheet takes %j for a text',
  (text) => {
    const [cell] = csvLine([text]).split('\r\n').slice(0, 1);
    expect(cell!.replace(/^"/, '')).toMatch(/^'/);
  },
);

test('what has such a sign further on is left as it is', () => {
  expect(csvLine(['a=1', '0-1', 'x@y.test'])).toBe('a=1,0-1,x@y.test\r\n');
});
