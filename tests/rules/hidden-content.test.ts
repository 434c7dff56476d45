import { deflateSync } from 'node:zlib';
import { findActiveContent } from '../../src/pdf/active-content.ts';
import {
  annotated,
  attaching,
  catalogued,
  LAUNCH,
  made,
  packed,
  PACKED_PAGE,
  SCRIPT,
} from '../resources/policies/active-samples.ts';
import { deflatedOf, ONE_PAGE, pdfOf, streamOf } from '../resources/policies/pdf-samples.ts';

type Case = [string, string, () => Buffer | Promise<Buffer>];

const opening = (action: string) => catalogued(`/OpenAction${action}`);
const plainly = (text: string) => streamOf('', Buffer.from(text, 'latin1'));
const hexadecimal = (dictionary: string, content: Buffer) =>
  streamOf(`${dictionary}/Filter[/ASCIIHexDecode]`, Buffer.from(`${content.toString('hex')}>`));
const twice = (dictionary: string, content: Buffer) =>
  streamOf(`${dictionary}/Filter[/FlateDecode/FlateDecode]`, deflateSync(deflateSync(content)));
const predicted = (dictionary: string, content: Buffer) =>
  deflatedOf(`${dictionary}/DecodeParms<</Predictor 2>>`, content);
const shortened = (dictionary: string, content: Buffer) => streamOf(`${dictionary}/F/Fl`, deflateSync(content));
const wronglySummed = (dictionary: string, content: Buffer) =>
  streamOf(`${dictionary}/Filter/FlateDecode`, Buffer.concat([deflateSync(content).subarray(0, -4), Buffer.alloc(4)]));
/** Builds a stream that ends early: its content contains the keyword `endstream`, and its length is in object 9. */
const endingEarly = (dictionary: string, content: Buffer) =>
  streamOf(dictionary, Buffer.concat([Buffer.from('4 0 \nendstream '), content]), '9 0 R');

/** Leaves an array in the stream's dictionary open. */
const endless = (stream: Buffer, entry = '/X[1 2') =>
  Buffer.from(stream.toString('latin1').replace('>>\nstream', `${entry}>>\nstream`), 'latin1');

const withAction = [...PACKED_PAGE, LAUNCH];
/** A document whose object stream has a third object that begins within a string of the second object. */
const inString = packed([PACKED_PAGE[0]!, `(${' '.repeat(20)}${LAUNCH})`, 'null'], deflatedOf, '/Type/ObjStm', (text) =>
  text.replace(/6 \d+/, (row) => `6 ${text.indexOf('<</S/Launch') - text.indexOf('<</Type')}`.padEnd(row.length)),
);
const updatedBy = (before: Buffer, object: string) =>
  Buffer.concat([before, Buffer.from(`4 0 obj\n${object}\nendobj\nstartxref\n0\n%%EOF\n`)]);

const cases: Case[] = [
  ['in an escaped key', 'JavaScript', () => opening('<</#53/J#61vaScript/#4a#53(x)>>')],
  ['in an escaped value', 'Launch', () => opening('<</S/#4c#61unc#68/F(x)>>')],
  ['in a name with a null character', 'Launch', () => opening('<</S/Launch#00x/F(x)>>')],
  ['after a comment', 'Launch', () => opening('<</S%>>\n/Launch%(\r/F(x)>>')],
  ['after unusual white space', 'Launch', () => opening('<<\0/S\f\0/Launch\t/F(x)>>')],
  ['after a string with brackets', 'Launch', () => opening('<</A(\\)>>()\\()/B<3e3e>/S/Launch/F(x)>>')],
  ['after a duplicate key', 'Launch', () => opening('<</S/URI/S/Launch/S/URI/F(x)>>')],
  ['after a missing value', 'Launch', () => opening('<</A/B/C/S/Launch/F(x)>>')],
  ['after an unterminated array', 'Launch', () => opening('<</A[1 2>>/S/Launch/F(x)>>')],
  ['in an unterminated dictionary', 'Launch', () => opening('<</S/Launch/F(x)')],
  ['with an indirect name', 'Launch', () => catalogued('/OpenAction<</S 4 0 R/F(x)>>', '/Launch')],
  ['thirty dictionaries deep', 'Launch', () => opening(`${'<</Next'.repeat(30)}${LAUNCH}${'>>'.repeat(30)}`)],
  ['a thousand dictionaries deep', 'too deep', () => opening(`${'<</Next'.repeat(1000)}${LAUNCH}${'>>'.repeat(1000)}`)],
  ['in an object stream', 'Launch', () => packed(withAction)],
  ['in an object stream made by pdf-lib', 'JavaScript', () => made((one) => one.addJavaScript('a', 'x()'))],
  ['in an object stream without a type', 'Launch', () => packed(withAction, deflatedOf, '')],
  [
    'in an object stream with escaped keys',
    'Launch',
    () => packed(withAction, (d, c) => deflatedOf(d.replace('/N ', '/#4e '), c)),
  ],
  ['in an uncompressed object stream', 'Launch', () => packed(withAction, streamOf)],
  ['in an object stream with a wrong checksum', 'Launch', () => packed(withAction, wronglySummed)],
  ['in a string in an object stream', 'Launch', () => inString],
  ['in a hexadecimal object stream', 'cannot be inspected', () => packed(withAction, hexadecimal)],
  ['in a twice-compressed object stream', 'cannot be inspected', () => packed(withAction, twice)],
  ['in an object stream with a predictor', 'cannot be inspected', () => packed(withAction, predicted)],
  ['in an object stream with abbreviated keys', 'cannot be inspected', () => packed(withAction, shortened)],
  ['in an object stream that ends early', 'cannot be inspected', () => packed(withAction, endingEarly)],
  [
    'in a stream in an object stream',
    'cannot be inspected',
    () => packed([...PACKED_PAGE, '<</N 1/First 4>>stream\n4 0 <<>>']),
  ],
  ['in page content', 'Launch', () => catalogued('/OpenAction 5 0 R', plainly(`q\n5 0 obj${LAUNCH}endobj\nQ`))],
  ['in a comment', 'Launch', () => catalogued('/OpenAction 5 0 R', `null\n%5 0 obj${LAUNCH}`)],
  ['in a string', 'Launch', () => catalogued('/OpenAction 5 0 R', `(5 0 obj${LAUNCH})`)],
  ['in an object that an update removes', 'Launch', () => updatedBy(catalogued('/OpenAction 4 0 R', LAUNCH), 'null')],
  ['in an update', 'Launch', () => updatedBy(catalogued('/OpenAction 4 0 R', 'null'), LAUNCH)],
  ['in an unreferenced object', 'JavaScript', () => pdfOf([...ONE_PAGE, SCRIPT])],
  ['in the trailer', 'Launch', () => pdfOf(ONE_PAGE, { trailer: `/Root<</Pages 2 0 R/OpenAction${LAUNCH}>>` })],
  ['in a hexadecimal attachment', 'cannot be inspected', () => attachedBy(hexadecimal)],
  ['in a missing attachment', 'cannot be inspected', () => catalogued('', '<</F(a.txt)/EF<</F 9 0 R>>>>')],
  [
    'in an attachment in an indirect EF dictionary',
    'an attached file that is a program',
    () => catalogued('', '<</F(a.txt)/EF 5 0 R>>', '<</F 6 0 R>>', plainly('MZ\0')),
  ],
  [
    'in an attachment with a comment in its number',
    'is a program',
    () =>
      Buffer.from(
        attaching('(a.txt)', 'MZ\0', { pack: false }).toString('latin1').replace('4 0 obj', '4%x\n0 %\nobj'),
        'latin1',
      ),
  ],
  [
    'in an object stream after an unterminated array',
    'cannot be inspected',
    () => packed(withAction, (d, c) => deflatedOf(`/X[1 2${d}`, c)),
  ],
  [
    'in an object stream with an unterminated array',
    'cannot be inspected',
    () => packed(withAction, (d, c) => endless(deflatedOf(d, c))),
  ],
  [
    'in an object stream with an unterminated inner dictionary',
    'cannot be inspected',
    () => packed(withAction, (d, c) => endless(deflatedOf(d, c), '/X<</Y 1')),
  ],
  [
    'in an attachment with an unterminated array',
    'cannot be inspected',
    () => attachedBy((d, c) => endless(streamOf(d, c))),
  ],
  ['in five nested PDFs', 'cannot be inspected', () => nested(5)],
  [
    'in an escaped attachment name',
    '.exe file',
    () => annotated('/Subtype/FileAttachment/FS<</#46(a.exe)/#45F<</F 5 0 R>>>>', plainly('x')),
  ],
];

function attachedBy(pack: (dictionary: string, content: Buffer) => Buffer): Buffer {
  return catalogued('', '<</F(a.txt)/EF<</F 5 0 R>>>>', pack('', Buffer.from('MZ\0')));
}

function nested(levels: number): Buffer {
  return levels === 0 ? pdfOf(ONE_PAGE) : attaching('(a.pdf)', nested(levels - 1));
}

test.each(cases)('active content %s is reported', async (_case, name, make) => {
  expect(findActiveContent(await make())).toContain(name);
});
