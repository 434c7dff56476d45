import { strToU8, type Zippable, zipSync } from 'fflate';
import { readTable } from '../../src/pages/console/people/imports/read-table.ts';
import { parseTableText } from '../../src/pages/console/people/imports/table-text.ts';
import { workbookOf } from '../support/workbooks.ts';

const TEXT = 'E-Mail;Vorname\r\nzoe@acme.test;Zoë\r\njürg@acme.test;Jürg\r\n';
const COMPANY = 'a';
const TABLE = {
  columns: ['E-Mail', 'Vorname'],
  rows: [
    ['zoe@acme.test', 'Zoë'],
    ['jürg@acme.test', 'Jürg'],
  ],
};
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('tables in text files', () => {
  test.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16 LE with a byte order mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
    ['UTF-16 LE', Buffer.from(TEXT, 'utf16le')],
    ['UTF-16 BE with a byte order mark', utf16be(`\ufeff${TEXT}`)],
    ['Windows-1252', Buffer.from(TEXT, 'latin1')],
  ])('are read in %s', async (_encoding, bytes) => {
    expect(await readTable(bytes, COMPANY)).toEqual({ table: TABLE });
  });

  test.each([',', ';', '\t', '|'])('are read with the delimiter %j', (delimiter) => {
    const lines = [
      ['name', 'note'],
      ['Ada; King', 'a,b|c\td'],
      ['Zoë', 'says ""hi""\nthere'],
    ];
    const text = lines.map((cells) => cells.map((cell) => `"${cell}"`).join(delimiter)).join('\n');
    expect(parseTableText(text)).toEqual([lines[0], lines[1], ['Zoë', 'says "hi"\nthere']]);
  });

  test('keep empty cells, quotes within a cell, and all kinds of line breaks', () => {
    expect(parseTableText('a,b,c\r1,,3\n,5"6,\r\n7,8,')).toEqual([
      ['a', 'b', 'c'],
      ['1', '', '3'],
      ['', '5"6', ''],
      ['7', '8', ''],
    ]);
    expect(parseTableText('sep=|\na|b,c')).toEqual([['a', 'b,c']]);
  });

  test.each([
    ['empty', ''],
    ['empty', 'email,name\n,\n'],
    ['tooManyRows', `email\n${'a@b.test\n'.repeat(10_001)}`],
    ['tooManyColumns', `email${',x'.repeat(100)}\na@b.test\n`],
    ['unreadable', 'email\0\nbinary'],
    ['tooManyRows', `email${' '.repeat(5_000_000)}\n${' \n'.repeat(2_500_000)}a`],
    ['tooManyRows', 'a\n'.repeat(5_000_000)],
    ['empty', `email\n${',\n'.repeat(3_000_000)}`],
    ['tooManyColumns', ','.repeat(10_000_000)],
  ])('are rejected as %s: %#', async (fault, text) => {
    expect(await readTable(Buffer.from(text), COMPANY)).toEqual({ fault });
  });

  test('a long cell is rejected with its row', async () => {
    expect(await readTable(Buffer.from(`email\na\n${'x'.repeat(2001)}`), COMPANY)).toEqual({
      fault: 'cellTooLong',
      row: 3,
    });
  });
});

/** Makes a workbook whose directory lists the same uncompressed megabyte several times, and states that it is empty. */
function withSharedBytes(count: number): Uint8Array {
  const name = 'xl/worksheets/sheet000.xml';
  const bytes = Buffer.from(zipSync({ [name]: [new Uint8Array(1024 * 1024), { level: 0 }] }));
  const start = bytes.readUInt32LE(bytes.length - 6);
  const entry = bytes.subarray(start, bytes.length - 22);
  entry.writeUInt32LE(0, 24);
  const entries = Array.from({ length: count }, (_, index) => {
    const copy = Buffer.from(entry);
    copy.write(String(index).padStart(3, '0'), 46 + name.indexOf('000'));
    return copy;
  });
  const end = Buffer.from(bytes.subarray(bytes.length - 22));
  end.writeUInt16LE(count, 8);
  return Buffer.concat([bytes.subarray(0, start), ...entries, end]);
}

describe('tables in workbooks', () => {
  test('have stored values of formulas, dates as days, and strings and numbers as written', async () => {
    const cells = [
      ['<c r="A1" t="inlineStr"><is><t>Number</t></is></c>', '<c r="E1" t="inlineStr"><is><t>Day</t></is></c>'],
      [
        '<c r="A2" t="inlineStr"><is><t>0042</t></is></c>',
        '<c r="B2"><v>12345678901234567</v></c>',
        '<c r="C2" t="str"><f>HYPERLINK("https://evil.test")</f><v>stored</v></c>',
        '<c r="D2"><v>4.2E1</v></c>',
        '<c r="E2" s="1"><v>45000</v></c>',
        '<c r="XFD2" s="1"/>',
      ],
    ];
    expect(await readTable(workbookOf(cells), COMPANY)).toEqual({
      table: {
        columns: ['Number', '', '', '', 'Day'],
        rows: [['0042', '12345678901234567', 'stored', '42', '2023-03-15']],
      },
    });
  });

  const bomb: Zippable = { 'xl/worksheets/sheet2.xml': [new Uint8Array(50 * 1024 * 1024), { level: 1 }] };
  test.each([
    ['a bomb', 'tooLarge', bomb],
    ['another archive', 'unreadable', undefined],
  ])('%s is rejected as %s', async (_name, fault, more) => {
    const bytes = more ? workbookOf([], more) : zipSync({ 'a.txt': strToU8('a') });
    expect(await readTable(bytes, COMPANY)).toEqual({ fault });
  });

  test.each([
    ['tooManyColumns', '<c r="XFD1"><v>1</v></c>'],
    ['tooManyRows', '<c r="A1048576"><v>1</v></c>'],
    ['tooManyColumns', "<c r='XFD1'><v>1</v></c>"],
    ['tooManyColumns', '<c r="A1" x:r="XFD1"><v>1</v></c>'],
    ['unreadable', '<c r="ZZZZZZ1"><v>1</v></c>'],
    ['unreadable', '<c r="&#90;ZZZZZ1"><v>1</v></c>'],
    ['unreadable', '<c s=">" r="ZZZZZZ1"><v>1</v></c>'],
    ['unreadable', '<c s="<" r="ZZZZZZ1"><v>1</v></c>'],
    ['unreadable', "<<c/>c r='ZZZZZZ1'><v>1</v></c>"],
    ['tooManyRows', '</row><row r="4000000"><c r="A4"><v>1</v></c>'],
    ['unreadable', '</row><row r="4000000000"><c r="A4"><v>1</v></c>'],
    ['tooManyRows', '</row><row><v/>'.repeat(10_100)],
  ])('a cell or row far away is rejected as %s: %#', async (fault, cell) => {
    expect(await readTable(workbookOf([[cell]]), COMPANY)).toEqual({ fault });
  });

  test('a cell far away in a file with another name is rejected', async () => {
    const sheet = { 'xl/other.xml': strToU8('<sheetData><row r="1"><c r="ZZZZZZ1"><v>1</v></c></row></sheetData>') };
    expect(await readTable(workbookOf([], sheet), COMPANY)).toEqual({ fault: 'unreadable' });
  });

  test.each([
    ['a long piece between two tags', 'worksheets/sheet1', `<sheetData>${' '.repeat(300_000)}</sheetData>`],
    ['a long tag', 'worksheets/sheet1', `<sheetData ${'<'.repeat(300_000)}`],
    ['too many formats', 'styles', `<styleSheet><cellXfs>${'<xf/>'.repeat(100_001)}</cellXfs></styleSheet>`],
  ])('%s is unreadable', async (_name, file, xml) => {
    expect(await readTable(workbookOf([], { [`xl/${file}.xml`]: strToU8(xml) }), COMPANY)).toEqual({
      fault: 'unreadable',
    });
  });

  test('empty rows far away are ignored', async () => {
    const cells = ['A1', 'A2'].map((place) => [`<c r="${place}"><v>1</v></c>`]);
    cells[1]!.push('</row><row r="1048576" ht="15"><c r="A1048576" s="1"/>');
    expect(await readTable(workbookOf(cells), COMPANY)).toEqual({ table: { columns: ['1'], rows: [['1']] } });
  });

  test('files that share the same bytes are rejected as tooLarge', async () => {
    expect(await readTable(withSharedBytes(60), COMPANY)).toEqual({ fault: 'tooLarge' });
  });

  test('a string that most cells repeat is rejected as tooLarge', async () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const rows = Array.from({ length: 250 }, (_, index) =>
      letters.map((letter) => `<c r="${letter}${index + 1}" t="s"><v>0</v></c>`),
    );
    const strings = { 'xl/sharedStrings.xml': strToU8(`<sst><si><t>${'x'.repeat(2000)}</t></si></sst>`) };
    expect(await readTable(workbookOf(rows, strings), COMPANY)).toEqual({ fault: 'tooLarge' });
  });

  test('with a password, or in the old format, are rejected', async () => {
    expect(await readTable(Buffer.from('d0cf11e0a1b11ae1', 'hex'), COMPANY)).toEqual({ fault: 'protected' });
  });

  test('of 10,000 people are read', async () => {
    const rows = Array.from({ length: 10_001 }, (_, index) =>
      ['A', 'B'].map((column) => `<c r="${column}${index + 1}" t="inlineStr"><is><t>${column}${index}</t></is></c>`),
    );
    const reading = await readTable(workbookOf(rows), COMPANY);
    expect('table' in reading && reading.table.rows).toHaveLength(10_000);
  });
});
