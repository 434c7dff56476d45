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
/** With an end in it, and a length that says so in another object. */
const endingEarly = (dictionary: string, content: Buffer) =>
  streamOf(dictionary, Buffer.concat([Buffer.from('4 0 \nendstream '), content]), '9 0 R');

/** Its dictionary has an array before its end that has none. */
const endless = (stream: Buffer, entry = '/X[1 2') =>
  Buffer.from(stream.toString('latin1').replace('>>\nstream', `${entry}>>\nstream`), 'latin1');

const withAction = [...PACKED_PAGE, LAUNCH];
/** The third object begins within the text of another one. */
const inString = packed([PACKED_PAGE[0]!, `(${' '.repeat(20)}${LAUNCH})`, 'null'], deflatedOf, '/Type/ObjStm', (text) =>
  text.replace(/6 \d+/, (row) => `6 ${text.indexOf('<</S/Launch') - text.indexOf('<</Type')}`.padEnd(row.length)),
);
const updatedBy = (before: Buffer, object: string) =>
  Buffer.concat([before, Buffer.from(`4 0 obj\n${object}\nendobj\nstartxref\n0\n%%EOF\n`)]);

const cases: Case[] = [
  ['in escapes of its name', 'JavaScript', () => opening('<</#53/J#61vaScript/#4a#53(x)>>')],
  ['in escapes of its value', 'Launch', () => opening('<</S/#4c#61unc#68/F(x)>>')],
  ['with a null at the end of its name', 'Launch', () => opening('<</S/Launch#00x/F(x)>>')],
  ['behind a comment', 'Launch', () => opening('<</S%>>\n/Launch%(\r/F(x)>>')],
  ['behind odd white space', 'Launch', () => opening('<<\0/S\f\0/Launch\t/F(x)>>')],
  ['behind a text with brackets', 'Launch', () => opening('<</A(\\)>>()\\()/B<3e3e>/S/Launch/F(x)>>')],
  ['behind an entry of the same name', 'Launch', () => opening('<</S/URI/S/Launch/S/URI/F(x)>>')],
  ['behind a value that is missing', 'Launch', () => opening('<</A/B/C/S/Launch/F(x)>>')],
  ['behind an array that does not end', 'Launch', () => opening('<</A[1 2>>/S/Launch/F(x)>>')],
  ['in a dictionary that does not end', 'Launch', () => opening('<</S/Launch/F(x)')],
  ['in the name of another object', 'Launch', () => catalogued('/OpenAction<</S 4 0 R/F(x)>>', '/Launch')],
  ['thirty dictionaries deep', 'Launch', () => opening(`${'<</Next'.repeat(30)}${LAUNCH}${'>>'.repeat(30)}`)],
  ['a thousand dictionaries deep', 'too deep', () => opening(`${'<</Next'.repeat(1000)}${LAUNCH}${'>>'.repeat(1000)}`)],
  ['in a stream of objects', 'Launch', () => packed(withAction)],
  ['in a stream of objects that pdf-lib has made', 'JavaScript', () => made((one) => one.addJavaScript('a', 'x()'))],
  ['in a stream of objects of no type', 'Launch', () => packed(withAction, deflatedOf, '')],
  [
    'in a stream of objects in another spelling',
    'Launch',
    () => packed(withAction, (d, c) => deflatedOf(d.replace('/N ', '/#4e '), c)),
  ],
  ['in a stream of objects that is not packed', 'Launch', () => packed(withAction, streamOf)],
  ['in a stream of objects with a wrong checksum', 'Launch', () => packed(withAction, wronglySummed)],
  ['in a text in a stream of objects', 'Launch', () => inString],
  ['in a stream of objects in hexadecimal', 'cannot be inspected', () => packed(withAction, hexadecimal)],
  ['in a stream of objects that is packed twice', 'cannot be inspected', () => packed(withAction, twice)],
  ['in a stream of objects with a predictor', 'cannot be inspected', () => packed(withAction, predicted)],
  ['in a stream of objects under a short name', 'cannot be inspected', () => packed(withAction, shortened)],
  ['in a stream of objects that ends early', 'cannot be inspected', () => packed(withAction, endingEarly)],
  [
    'in a stream in a stream of objects',
    'cannot be inspected',
    () => packed([...PACKED_PAGE, '<</N 1/First 4>>stream\n4 0 <<>>']),
  ],
  ['in a part of a page', 'Launch', () => catalogued('/OpenAction 5 0 R', plainly(`q\n5 0 obj${LAUNCH}endobj\nQ`))],
  ['in a comment', 'Launch', () => catalogued('/OpenAction 5 0 R', `null\n%5 0 obj${LAUNCH}`)],
  ['in a text', 'Launch', () => catalogued('/OpenAction 5 0 R', `(5 0 obj${LAUNCH})`)],
  ['before an update that takes it away', 'Launch', () => updatedBy(catalogued('/OpenAction 4 0 R', LAUNCH), 'null')],
  ['in an update', 'Launch', () => updatedBy(catalogued('/OpenAction 4 0 R', 'null'), LAUNCH)],
  ['in an object that nothing names', 'JavaScript', () => pdfOf([...ONE_PAGE, SCRIPT])],
  ['in the trailer', 'Launch', () => pdfOf(ONE_PAGE, { trailer: `/Root<</Pages 2 0 R/OpenAction${LAUNCH}>>` })],
  ['in an attachment in hexadecimal', 'cannot be inspected', () => attachedBy(hexadecimal)],
  ['in an attachment that is not there', 'cannot be inspected', () => catalogued('', '<</F(a.txt)/EF<</F 9 0 R>>>>')],
  [
    'in an attachment that another object names',
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
    'in a stream of objects behind an array that does not end',
    'cannot be inspected',
    () => packed(withAction, (d, c) => deflatedOf(`/X[1 2${d}`, c)),
  ],
  [
    'in a stream of objects whose array does not end',
    'cannot be inspected',
    () => packed(withAction, (d, c) => endless(deflatedOf(d, c))),
  ],
  [
    'in a stream of objects whose dictionary holds one that does not end',
    'cannot be inspected',
    () => packed(withAction, (d, c) => endless(deflatedOf(d, c), '/X<</Y 1')),
  ],
  [
    'in an attachment whose array does not end',
    'cannot be inspected',
    () => attachedBy((d, c) => endless(streamOf(d, c))),
  ],
  ['in five PDFs in each other', 'cannot be inspected', () => nested(5)],
  [
    'in a name of an attachment in escapes',
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

test.each(cases)('what is %s is found', async (_case, name, make) => {
  expect(findActiveContent(await make())).toContain(name);
});
