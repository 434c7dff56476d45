import { findActiveContent } from '../../src/pdf/active-content.ts';
import { judgePdf } from '../../src/pdf/judge-pdf.ts';
import {
  annotated,
  attaching,
  catalogued,
  LAUNCH,
  packed,
  PACKED_PAGE,
  paged,
  SCRIPT,
  withField,
} from '../resources/policies/active-samples.ts';
import { deflatedOf, ONE_PAGE, pdfOf, streamOf } from '../resources/policies/pdf-samples.ts';

type Case = [string, () => Buffer];

const LEAVES = '<</S/URI/URI(https://evil.test/)>>';
const PROGRAM = Buffer.from('MZ\x90\0\x03\0\0\0PE', 'latin1');
const clean = pdfOf(ONE_PAGE);
const hidden = (...objects: (string | Buffer)[]) => catalogued('', ...objects);
const opened = (entries: string, ...objects: (string | Buffer)[]) =>
  catalogued(`/OpenAction<<${entries}>>`, ...objects);
/** Appends `text` to a file, after its end. */
const followed = (text: string, file = clean) => Buffer.concat([file, Buffer.from(text, 'latin1')]);
/** Appends an incremental update that replaces object `number` with `value`. */
function updated(file: Buffer, number: number, value: string): Buffer {
  const place = file.length;
  const object = `${number} 0 obj\n${value}\nendobj\n`;
  const row = `${String(place).padStart(10, '0')} 00000 n \n`;
  const before = /startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))![1];
  const trailer = `trailer\n<</Size 9/Root 1 0 R/Prev ${before}>>\nstartxref\n${place + object.length}\n%%EOF\n`;
  return followed(`${object}xref\n${number} 1\n${row}${trailer}`, file);
}
/** Builds a document whose object stream gives its first object a wrong number. */
const misnumbered = (object: string, opening: string) =>
  packed([`<</Type/Pages/Kids[5 0 R]/Count 1${opening}>>`, PACKED_PAGE[1]!, object], undefined, undefined, (text) =>
    text.replace(/(^| )6 /, '$19 '),
  );

const spellings: Case[] = [
  ['with escaped names', () => opened('/#53/#4c#61unch/#46(calc.exe)')],
  ['with an escaped script type', () => opened('/#53/J#61va#53cript/#4a#53(x\\(\\))')],
  ['with comments inside', () => opened('/S%/GoTo\n/Launch%)>>\n/F%\r(calc.exe)')],
  ['with a duplicate type', () => opened('/S/GoTo/S/Launch/F(calc.exe)')],
  ['with a duplicate type in reverse order', () => opened('/S/Launch/S/GoTo/F(calc.exe)')],
  ['with a duplicate script', () => opened('/S/JavaScript/JS null/JS(x\\(\\))')],
  ['with a string as its type', () => opened('/S(Launch)/F(calc.exe)')],
  ['with a hexadecimal string as its type', () => opened('/S<4c 61 75 6e 63 68>/F(calc.exe)')],
  ['with an escaped string as its script type', () => opened('/S(Java\\123cript)/JS(x\\(\\))')],
  ['with an indirect type', () => opened('/S 4 0 R/F(calc.exe)', '/Launch')],
  ['with an indirect script type', () => opened('/S 4 0 R/JS(x\\(\\))', '/Java#53cript')],
  ['with its type behind two references', () => opened('/S 4 0 R/F(calc.exe)', '5 0 R', '/Launch')],
  ['with an indirect string as its type', () => opened('/S 4 0 R/F(calc.exe)', '(Launch)')],
  ['with its type in an object stream', () => packed([...PACKED_PAGE, '<</S 7 0 R/F(calc.exe)>>', '/Launch'])],
  ['with a misnumbered indirect type', () => opened('/S 99 0 R/F(calc.exe)', '/Launch')],
  ['with a file specification', () => opened('/S/Launch/F<</F(calc.exe)>>')],
  ['with an indirect file', () => opened('/S/Launch/F 4 0 R', '(calc.exe)')],
  ['for Windows', () => opened('/S/Launch/Win<</F(cmd.exe)/P(/c calc)>>')],
  ['for a Mac', () => opened('/S/Launch/Mac(Calculator.app)')],
  ['disguised as a structure element', () => hidden('<</Type/StructElem/P 1 0 R/S/Launch/F(calc.exe)>>')],
  ['disguised as a font', () => paged('/Resources<</Font<</F1<</Type/Font/S/Launch/F(calc.exe)>>>>>>')],
  ['with an indirect script', () => opened('/S/JavaScript/JS 4 0 R', '(x\\(\\))')],
  ['with a script in a stream', () => opened('/S/JavaScript/JS 4 0 R', deflatedOf('', Buffer.from('x()')))],
  [
    'without a space after obj',
    () => Buffer.from(opened('/S/Launch/F(calc.exe)').toString('latin1').replace('1 0 obj\n', '1 0 obj'), 'latin1'),
  ],
];

const places: Case[] = [
  ['in another object', () => catalogued('/OpenAction 4 0 R', LAUNCH)],
  ['behind two references', () => catalogued('/OpenAction 4 0 R', '5 0 R', LAUNCH)],
  [
    'in a referenced /Next array',
    () => opened('/S/GoTo/D[3 0 R/Fit]/Next 4 0 R', '[5 0 R 6 0 R]', '<</S/GoTo>>', LAUNCH),
  ],
  [
    'deep in the script name tree',
    () => scripts('4 0 R', '<</Kids[5 0 R]>>', '<</Kids[6 0 R]>>', `<</Names[(a)${SCRIPT}]>>`),
  ],
  ['on a page', () => paged('/AA 4 0 R', '<</O 5 0 R>>', SCRIPT)],
  ['on an annotation', () => annotated('/Subtype/Widget/AA<</Bl 5 0 R>>', SCRIPT)],
  [
    'of a child of a field',
    () => catalogued('/AcroForm<</Fields[4 0 R]>>', '<</Kids[5 0 R]>>', `<</AA<</K${SCRIPT}>>>>`),
  ],
  ['of a bookmark', () => catalogued('/Outlines 4 0 R', '<</First 5 0 R>>', `<</Title(x)/A 6 0 R>>`, LAUNCH)],
  ['of a bead', () => catalogued('/Threads[4 0 R]', `<</F<</A${LAUNCH}>>>>`)],
  ['in an unreferenced object', () => hidden(LAUNCH)],
  ['in a replaced object', () => updated(hidden(LAUNCH), 4, 'null')],
  ['in an update', () => updated(hidden('null'), 4, LAUNCH)],
  ['in a replaced catalogue', () => updated(catalogued(`/OpenAction${SCRIPT}`), 1, ONE_PAGE[0]!)],
  ['after the end of the file', () => followed(`\n9 0 obj\n${LAUNCH}\nendobj\n`)],
  ['before the header', () => Buffer.concat([Buffer.from(`9 0 obj${LAUNCH}endobj\n`), clean])],
  ['in a trailer', () => followed(`trailer<</Root<</OpenAction${LAUNCH}>>>>\n`)],
  ['in a comment that a cross-reference could point into', () => followed(`% 9 0 obj ${LAUNCH} endobj\n`)],
  ['in a string that a cross-reference could point into', () => hidden(`(9 0 obj ${LAUNCH} endobj)`)],
  [
    'in a stream that a cross-reference could point into',
    () => hidden(streamOf('', Buffer.from(`9 0 obj ${LAUNCH} endobj`))),
  ],
  ['in an object without an end', () => followed(`9 0 obj <</A${LAUNCH}`)],
  ['in an uncompressed object stream', () => packed([...PACKED_PAGE, LAUNCH], streamOf)],
  ['in an object stream without a type', () => packed([...PACKED_PAGE, LAUNCH], deflatedOf, '')],
  [
    'in an object stream disguised as an image',
    () => packed([...PACKED_PAGE, LAUNCH], deflatedOf, '/Type/XObject/Subtype/Image'),
  ],
  ['in an object stream but not in its table', () => packed([...PACKED_PAGE, `(x) ${LAUNCH}`])],
  ['in an object stream, with a wrong number', () => misnumbered(LAUNCH, '')],
];

test.each([...spellings, ...places])('an action %s is reported', (_case, make) => {
  expect(findActiveContent(make())).toMatch(/Launch|JavaScript/);
});

// MuPDF checks the action type neither for document scripts nor for field actions.
test.each<Case>([
  ['of the document', () => scripts('<</Names[(a)<</JS(x\\(\\))>>]>>')],
  [
    'of the document in separate objects',
    () => scripts('4 0 R', '<</Names[(a)5 0 R]>>', '<</JS 6 0 R>>', streamOf('', Buffer.from('x'))),
  ],
  ['of a field', () => withField('/AA<</K<</JS(x\\(\\))>>>>')],
  [
    'of a field in a separate object',
    () => catalogued('/AcroForm<</Fields[4 0 R]>>', '<</AA 5 0 R>>', '<</V 6 0 R>>', '<</JS 7 0 R>>', '(x)'),
  ],
  [
    'of a field that is also a check box state',
    () =>
      annotated(
        '/Subtype/Widget/AP<</N 5 0 R>>/AA<</F 5 0 R>>',
        '<</JS 6 0 R/Off 6 0 R>>',
        streamOf('', Buffer.from('x()')),
      ),
  ],
])('a script without an action type %s is reported', (_case, make) => {
  expect(findActiveContent(make())).toContain('JavaScript');
});

test.each<Case>([
  ['in the form', () => catalogued('/AcroForm<</XFA 4 0 R>>', streamOf('', Buffer.from('<xdp/>')))],
  ['in an indirect form', () => catalogued('/AcroForm 4 0 R', '<</XFA 5 0 R>>', streamOf('', Buffer.from('<xdp/>')))],
  [
    'in parts',
    () => catalogued('/AcroForm 4 0 R', '<</XFA[(template)5 0 R]>>', streamOf('', Buffer.from('<template/>'))),
  ],
  ['in escapes', () => catalogued('/Acro#46orm 4 0 R', '<</X#46A[(template)5 0 R]>>')],
  [
    'behind two references',
    () => catalogued('/AcroForm 4 0 R', '5 0 R', '<</XFA 6 0 R>>', streamOf('', Buffer.from('x'))),
  ],
  ['in an unreferenced form', () => hidden('<</Fields[]/XFA 5 0 R>>', streamOf('', Buffer.from('x')))],
  ['in a replaced form', () => updated(catalogued('/AcroForm 4 0 R', '<</XFA 5 0 R>>'), 4, '<<>>')],
  [
    'in a catalogue that is in an object stream',
    () => packed([...PACKED_PAGE, '<</AcroForm 7 0 R>>', '<</XFA[(a)8 0 R]>>']),
  ],
  ['under a wrong number', () => misnumbered('<</XFA 9 0 R>>', '/AcroForm 6 0 R')],
])('an XFA form %s is reported', (_case, make) => {
  expect(findActiveContent(make())).toContain('XFA');
});

const renumbered = (number: string) =>
  Buffer.from(
    catalogued('/OpenAction 4 0 R', LEAVES).toString('latin1').replace('4 0 obj', `${number} 0 obj`),
    'latin1',
  );

test.each<Case>([
  ['has an indirect type', () => opened('/S 4 0 R/URI(https://evil.test/)', '/URI')],
  ['is behind two references', () => catalogued('/OpenAction 4 0 R', '5 0 R', LEAVES)],
  ['is in a replaced object', () => updated(catalogued('/OpenAction 4 0 R', LEAVES), 4, 'null')],
  ['has a wrong number', () => misnumbered(LEAVES, '')],
  ['has a fractional number', () => renumbered('4.0')],
  ['has a signed number', () => renumbered('+4')],
])('an open action that leaves the document and %s is reported', (_case, make) => {
  expect(findActiveContent(make())).toContain('leads elsewhere without a click');
});

test.each<Case>([
  ['in another object', () => annotated('/Subtype 5 0 R/RichMediaContent<</Assets<<>>>>', '/RichMedia')],
  ['escaped, with its content elsewhere', () => annotated('/Subtype/Rich#4dedia/RichMediaContent 5 0 R', '<<>>')],
])('rich media whose type is %s is reported', (_case, make) => {
  expect(findActiveContent(make())).toContain('RichMedia');
});

/** Builds an uncompressed attachment that contains an object which an index could point to. */
const decoy = (inner: string) => {
  const content = Buffer.from(`only text ${inner}`, 'latin1');
  return catalogued('/AF[5 0 R]', streamOf('', content), '<</F(a.txt)/EF<</F 4 0 R>>>>');
};
const inner = (filter: string) =>
  `4 0 obj<<${filter}/Length ${PROGRAM.length}>>stream\n${PROGRAM.toString('latin1')}\nendstream endobj`;

test.each<Case>([
  ['in an indirect EF dictionary', () => specified('/EF 6 0 R', '<</F 4 0 R>>')],
  ['in an EF dictionary behind two references', () => specified('/EF 6 0 R', '7 0 R', '<</UF 4 0 R>>')],
  ['under escaped keys', () => specified('/#45#46<</#46 4 0 R>>')],
  [
    'in a replaced object',
    () => updated(attaching('(a.txt)', PROGRAM), 4, streamOf('', Buffer.from('x')).toString('latin1')),
  ],
  ['within another attachment', () => decoy(inner(''))],
  ['within another attachment, encoded differently', () => decoy(inner('/Filter/ASCIIHexDecode'))],
  [
    'with two lengths',
    () =>
      catalogued(
        '/AF[5 0 R]',
        streamOf('', Buffer.from('x\nendstream'), '6 0 R'),
        '<</F(a.txt)/EF<</F 4 0 R>>>>',
        '1',
        '6 0 obj 11 endobj',
      ),
  ],
  [
    'without a length',
    () => catalogued('/AF[5 0 R]', streamOf('', Buffer.from('x'), '6 0 R'), '<</F(a.txt)/EF<</F 4 0 R>>>>'),
  ],
])('an executable attached %s is rejected', (_case, make) => {
  expect(findActiveContent(make())).toContain('attached file');
});

function specified(entries: string, ...objects: string[]): Buffer {
  return catalogued('/AF[5 0 R]', deflatedOf('', PROGRAM), `<</F(a.txt)${entries}>>`, ...objects);
}

function scripts(tree: string, ...objects: (string | Buffer)[]): Buffer {
  return catalogued(`/Names<</JavaScript ${tree}>>`, ...objects);
}

test.each<Case>([...spellings, ...places])('judgePdf rejects a file with an action %s', async (_case, make) => {
  expect((await judgePdf(make())).fault).toBeDefined();
});
