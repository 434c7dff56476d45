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
/** A file with more after its end. */
const followed = (text: string, file = clean) => Buffer.concat([file, Buffer.from(text, 'latin1')]);
/** A later state of a file, in which an object has become another. */
function updated(file: Buffer, number: number, value: string): Buffer {
  const place = file.length;
  const object = `${number} 0 obj\n${value}\nendobj\n`;
  const row = `${String(place).padStart(10, '0')} 00000 n \n`;
  const before = /startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))![1];
  const trailer = `trailer\n<</Size 9/Root 1 0 R/Prev ${before}>>\nstartxref\n${place + object.length}\n%%EOF\n`;
  return followed(`${object}xref\n${number} 1\n${row}${trailer}`, file);
}
/** A document with objects in a stream of objects, the first of which the stream's table numbers wrong. */
const misnumbered = (object: string, opening: string) =>
  packed([`<</Type/Pages/Kids[5 0 R]/Count 1${opening}>>`, PACKED_PAGE[1]!, object], undefined, undefined, (text) =>
    text.replace(/(^| )6 /, '$19 '),
  );

const spellings: Case[] = [
  ['in escapes', () => opened('/#53/#4c#61unch/#46(calc.exe)')],
  ['in escapes of its script', () => opened('/#53/J#61va#53cript/#4a#53(x\\(\\))')],
  ['with comments within', () => opened('/S%/GoTo\n/Launch%)>>\n/F%\r(calc.exe)')],
  ['with its kind twice', () => opened('/S/GoTo/S/Launch/F(calc.exe)')],
  ['with its kind twice, the other way round', () => opened('/S/Launch/S/GoTo/F(calc.exe)')],
  ['with its script twice', () => opened('/S/JavaScript/JS null/JS(x\\(\\))')],
  ['with its kind as a string', () => opened('/S(Launch)/F(calc.exe)')],
  ['with its kind in hexadecimal', () => opened('/S<4c 61 75 6e 63 68>/F(calc.exe)')],
  ['with the kind of its script as a string', () => opened('/S(Java\\123cript)/JS(x\\(\\))')],
  ['with its kind in another object', () => opened('/S 4 0 R/F(calc.exe)', '/Launch')],
  ['with the kind of its script in another object', () => opened('/S 4 0 R/JS(x\\(\\))', '/Java#53cript')],
  ['with its kind behind two references', () => opened('/S 4 0 R/F(calc.exe)', '5 0 R', '/Launch')],
  ['with its kind as a string elsewhere', () => opened('/S 4 0 R/F(calc.exe)', '(Launch)')],
  ['with its kind in a stream of objects', () => packed([...PACKED_PAGE, '<</S 7 0 R/F(calc.exe)>>', '/Launch'])],
  ['with its kind under a wrong number', () => opened('/S 99 0 R/F(calc.exe)', '/Launch')],
  ['with a file of its own', () => opened('/S/Launch/F<</F(calc.exe)>>')],
  ['with its file in another object', () => opened('/S/Launch/F 4 0 R', '(calc.exe)')],
  ['for Windows', () => opened('/S/Launch/Win<</F(cmd.exe)/P(/c calc)>>')],
  ['for a Mac', () => opened('/S/Launch/Mac(Calculator.app)')],
  ['called a style', () => hidden('<</Type/StructElem/P 1 0 R/S/Launch/F(calc.exe)>>')],
  ['called a font', () => paged('/Resources<</Font<</F1<</Type/Font/S/Launch/F(calc.exe)>>>>>>')],
  ['with its script in another object', () => opened('/S/JavaScript/JS 4 0 R', '(x\\(\\))')],
  ['with its script in a stream', () => opened('/S/JavaScript/JS 4 0 R', deflatedOf('', Buffer.from('x()')))],
  [
    'without a space',
    () => Buffer.from(opened('/S/Launch/F(calc.exe)').toString('latin1').replace('1 0 obj\n', '1 0 obj'), 'latin1'),
  ],
];

const places: Case[] = [
  ['in another object', () => catalogued('/OpenAction 4 0 R', LAUNCH)],
  ['behind two references', () => catalogued('/OpenAction 4 0 R', '5 0 R', LAUNCH)],
  [
    'in a list of next actions',
    () => opened('/S/GoTo/D[3 0 R/Fit]/Next 4 0 R', '[5 0 R 6 0 R]', '<</S/GoTo>>', LAUNCH),
  ],
  [
    'deep in the tree of scripts',
    () => scripts('4 0 R', '<</Kids[5 0 R]>>', '<</Kids[6 0 R]>>', `<</Names[(a)${SCRIPT}]>>`),
  ],
  ['on a page', () => paged('/AA 4 0 R', '<</O 5 0 R>>', SCRIPT)],
  ['on an annotation', () => annotated('/Subtype/Widget/AA<</Bl 5 0 R>>', SCRIPT)],
  [
    'of a kid of a field',
    () => catalogued('/AcroForm<</Fields[4 0 R]>>', '<</Kids[5 0 R]>>', `<</AA<</K${SCRIPT}>>>>`),
  ],
  ['of a bookmark', () => catalogued('/Outlines 4 0 R', '<</First 5 0 R>>', `<</Title(x)/A 6 0 R>>`, LAUNCH)],
  ['of a bead', () => catalogued('/Threads[4 0 R]', `<</F<</A${LAUNCH}>>>>`)],
  ['where nothing refers to it', () => hidden(LAUNCH)],
  ['in a state that was replaced', () => updated(hidden(LAUNCH), 4, 'null')],
  ['in a later state', () => updated(hidden('null'), 4, LAUNCH)],
  ['in a catalogue that was replaced', () => updated(catalogued(`/OpenAction${SCRIPT}`), 1, ONE_PAGE[0]!)],
  ['after the end', () => followed(`\n9 0 obj\n${LAUNCH}\nendobj\n`)],
  ['before the beginning', () => Buffer.concat([Buffer.from(`9 0 obj${LAUNCH}endobj\n`), clean])],
  ['in a trailer', () => followed(`trailer<</Root<</OpenAction${LAUNCH}>>>>\n`)],
  ['in a comment that an index points into', () => followed(`% 9 0 obj ${LAUNCH} endobj\n`)],
  ['in a string that an index points into', () => hidden(`(9 0 obj ${LAUNCH} endobj)`)],
  ['in a stream that an index points into', () => hidden(streamOf('', Buffer.from(`9 0 obj ${LAUNCH} endobj`)))],
  ['without its end', () => followed(`9 0 obj <</A${LAUNCH}`)],
  ['in a stream of objects that is not packed', () => packed([...PACKED_PAGE, LAUNCH], streamOf)],
  ['in a stream of objects without a type', () => packed([...PACKED_PAGE, LAUNCH], deflatedOf, '')],
  [
    'in a stream of objects that is called an image',
    () => packed([...PACKED_PAGE, LAUNCH], deflatedOf, '/Type/XObject/Subtype/Image'),
  ],
  ['in a stream of objects that its table leaves out', () => packed([...PACKED_PAGE, `(x) ${LAUNCH}`])],
  ['in a stream of objects, under another number', () => misnumbered(LAUNCH, '')],
];

test.each([...spellings, ...places])('an action %s is found', (_case, make) => {
  expect(findActiveContent(make())).toMatch(/Launch|JavaScript/);
});

// MuPDF asks neither the scripts of a document nor the actions of fields for their kind.
test.each<Case>([
  ['of the document', () => scripts('<</Names[(a)<</JS(x\\(\\))>>]>>')],
  [
    'of the document in other objects',
    () => scripts('4 0 R', '<</Names[(a)5 0 R]>>', '<</JS 6 0 R>>', streamOf('', Buffer.from('x'))),
  ],
  ['of a field', () => withField('/AA<</K<</JS(x\\(\\))>>>>')],
  [
    'of a field in another object',
    () => catalogued('/AcroForm<</Fields[4 0 R]>>', '<</AA 5 0 R>>', '<</V 6 0 R>>', '<</JS 7 0 R>>', '(x)'),
  ],
  [
    'of a field that is the state of a check box as well',
    () =>
      annotated(
        '/Subtype/Widget/AP<</N 5 0 R>>/AA<</F 5 0 R>>',
        '<</JS 6 0 R/Off 6 0 R>>',
        streamOf('', Buffer.from('x()')),
      ),
  ],
])('a script without a kind %s is found', (_case, make) => {
  expect(findActiveContent(make())).toContain('JavaScript');
});

test.each<Case>([
  ['in its form', () => catalogued('/AcroForm<</XFA 4 0 R>>', streamOf('', Buffer.from('<xdp/>')))],
  ['in a form elsewhere', () => catalogued('/AcroForm 4 0 R', '<</XFA 5 0 R>>', streamOf('', Buffer.from('<xdp/>')))],
  [
    'in parts',
    () => catalogued('/AcroForm 4 0 R', '<</XFA[(template)5 0 R]>>', streamOf('', Buffer.from('<template/>'))),
  ],
  ['in escapes', () => catalogued('/Acro#46orm 4 0 R', '<</X#46A[(template)5 0 R]>>')],
  [
    'behind two references',
    () => catalogued('/AcroForm 4 0 R', '5 0 R', '<</XFA 6 0 R>>', streamOf('', Buffer.from('x'))),
  ],
  ['in a form that nothing refers to', () => hidden('<</Fields[]/XFA 5 0 R>>', streamOf('', Buffer.from('x')))],
  ['in a form that was replaced', () => updated(catalogued('/AcroForm 4 0 R', '<</XFA 5 0 R>>'), 4, '<<>>')],
  [
    'in a catalogue in a stream of objects',
    () => packed([...PACKED_PAGE, '<</AcroForm 7 0 R>>', '<</XFA[(a)8 0 R]>>']),
  ],
  ['under another number', () => misnumbered('<</XFA 9 0 R>>', '/AcroForm 6 0 R')],
])('an XFA form %s is found', (_case, make) => {
  expect(findActiveContent(make())).toContain('XFA');
});

const renumbered = (number: string) =>
  Buffer.from(
    catalogued('/OpenAction 4 0 R', LEAVES).toString('latin1').replace('4 0 obj', `${number} 0 obj`),
    'latin1',
  );

test.each<Case>([
  ['names its kind elsewhere', () => opened('/S 4 0 R/URI(https://evil.test/)', '/URI')],
  ['is behind two references', () => catalogued('/OpenAction 4 0 R', '5 0 R', LEAVES)],
  ['is in a state that was replaced', () => updated(catalogued('/OpenAction 4 0 R', LEAVES), 4, 'null')],
  ['has another number', () => misnumbered(LEAVES, '')],
  ['has a number with a fraction', () => renumbered('4.0')],
  ['has a number with a sign', () => renumbered('+4')],
])('an action that goes elsewhere without a click and %s is found', (_case, make) => {
  expect(findActiveContent(make())).toContain('leads elsewhere without a click');
});

test.each<Case>([
  ['in another object', () => annotated('/Subtype 5 0 R/RichMediaContent<</Assets<<>>>>', '/RichMedia')],
  ['with its content elsewhere', () => annotated('/Subtype/Rich#4dedia/RichMediaContent 5 0 R', '<<>>')],
])('rich media whose kind is %s is found', (_case, make) => {
  expect(findActiveContent(make())).toContain('RichMedia');
});

/** A file that is attached unpacked and has objects within, which an index can point to. */
const decoy = (inner: string) => {
  const content = Buffer.from(`only text ${inner}`, 'latin1');
  return catalogued('/AF[5 0 R]', streamOf('', content), '<</F(a.txt)/EF<</F 4 0 R>>>>');
};
const inner = (filter: string) =>
  `4 0 obj<<${filter}/Length ${PROGRAM.length}>>stream\n${PROGRAM.toString('latin1')}\nendstream endobj`;

test.each<Case>([
  ['whose streams are in another object', () => specified('/EF 6 0 R', '<</F 4 0 R>>')],
  ['whose streams are behind two references', () => specified('/EF 6 0 R', '7 0 R', '<</UF 4 0 R>>')],
  ['whose key is in escapes', () => specified('/#45#46<</#46 4 0 R>>')],
  [
    'in a state that was replaced',
    () => updated(attaching('(a.txt)', PROGRAM), 4, streamOf('', Buffer.from('x')).toString('latin1')),
  ],
  ['within another one', () => decoy(inner(''))],
  ['within another one, packed otherwise', () => decoy(inner('/Filter/ASCIIHexDecode'))],
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
])('a program that is attached %s is not accepted', (_case, make) => {
  expect(findActiveContent(make())).toContain('attached file');
});

function specified(entries: string, ...objects: string[]): Buffer {
  return catalogued('/AF[5 0 R]', deflatedOf('', PROGRAM), `<</F(a.txt)${entries}>>`, ...objects);
}

function scripts(tree: string, ...objects: (string | Buffer)[]): Buffer {
  return catalogued(`/Names<</JavaScript ${tree}>>`, ...objects);
}

test.each<Case>([...spellings, ...places])('a file with an action %s is refused as a whole', async (_case, make) => {
  expect((await judgePdf(make())).fault).toBeDefined();
});
