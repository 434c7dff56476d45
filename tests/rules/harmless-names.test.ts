import { findActiveContent } from '../../src/pdf/active-content.ts';
import {
  annotated,
  attaching,
  catalogued,
  packed,
  PACKED_PAGE,
  paged,
  withField,
} from '../resources/policies/active-samples.ts';
import { deflatedOf, streamOf } from '../resources/policies/pdf-samples.ts';

const NAMES = [
  'S',
  'JS',
  'XFA',
  'EF',
  'AA',
  'AcroForm',
  'JavaScript',
  'OpenAction',
  'OnInstantiate',
  'RichMediaContent',
];
const DRAWING = streamOf('/Type/XObject/Subtype/Form/BBox[0 0 9 9]', Buffer.from('0 0 9 9 re f'));
const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
const GLYPH = streamOf('', Buffer.from('500 0 d0'));
const glyphs = (names: string[]) =>
  `<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/CharProcs<<${names.map((name) => `/${name} 5 0 R`).join('')}>>` +
  `/Encoding<</Differences[0 ${names.map((name) => `/${name}`).join('')}]>>/FirstChar 0/LastChar ${names.length - 1}/Widths[${'9 '.repeat(names.length)}]>>`;
const font = (dictionary: string) => paged('/Resources<</Font<</F1 4 0 R>>>>', dictionary, GLYPH);
const states = (name: string) => `/FT/Btn/AS/Off/AP<</N<</${name} 5 0 R/Off 5 0 R>>/D<</${name} 5 0 R>>>>`;

test('a Matplotlib plot with a capital S in its title is accepted', () => {
  expect(findActiveContent(font(glyphs(['S', 'e', 't', 'F', 'D'])))).toBeUndefined();
});

describe.each(NAMES)('the name %s', (name) => {
  test.each<[string, () => Buffer]>([
    ['a glyph', () => font(glyphs([name, 'F', 'S', 'Win', 'URI']))],
    ['a check box state', () => annotated(`/Subtype/Widget${states(name)}`, DRAWING)],
    [
      'a check box state in a separate object',
      () => annotated('/Subtype/Widget/AS/Off/AP<</N 6 0 R>>', DRAWING, `<</${name} 5 0 R/Off 5 0 R>>`),
    ],
    ['a destination', () => catalogued(`/Dests<</${name}[3 0 R/Fit]>>`)],
    ['a destination in separate objects', () => catalogued('/Dests 4 0 R', `<</${name} 5 0 R>>`, '<</D[3 0 R/Fit]>>')],
    ['a font', () => paged(`/Resources<</Font<</${name} 4 0 R>>>>`, FONT)],
    ['an inline font', () => paged(`/Resources<</Font<</${name}${FONT}>>>>`)],
    ['a form XObject', () => paged(`/Resources<</XObject<</${name} 4 0 R/F 4 0 R>>>>`, DRAWING)],
    ['a graphics state', () => paged(`/Resources<</ExtGState<</${name}<</CA 1>>>>>>`)],
    ['a colour space', () => paged(`/Resources<</ColorSpace<</${name}[/CalGray<</WhitePoint[1 1 1]>>]>>>>`)],
    ['marked content', () => paged(`/Resources<</Properties<</${name} 4 0 R>>>>`, '<</Type/OCG/Name(Draft)>>')],
    [
      'a colorant',
      () =>
        paged(
          `/Resources<</ColorSpace<</C[/DeviceN[/${name}]/DeviceCMYK 4 0 R<</Colorants<</${name} 4 0 R>>>>]>>>>`,
          GLYPH,
        ),
    ],
    ['a structure type', () => catalogued('/StructTreeRoot<</K 4 0 R>>', `<</Type/StructElem/S/${name}/P 1 0 R>>`)],
    ['a structure type mapped to another', () => catalogued(`/StructTreeRoot<</RoleMap<</${name}/P/S/Span>>>>`)],
    ['an attribute class', () => catalogued(`/StructTreeRoot<</ClassMap<</${name}<</O/Layout>>>>>>`)],
    ['a destination in an object stream', () => packed([...PACKED_PAGE, `<</Dests<</${name}[5 0 R/Fit]>>>>`])],
  ])('is accepted for %s', (_case, make) => {
    expect(findActiveContent(make())).toBeUndefined();
  });
});

test.each<[string, () => Buffer]>([
  ['structure types named like actions', () => catalogued('', ...styles('Launch', 'ImportData', 'JavaScript', 'URI'))],
  [
    'structure types named like keys and mapped to others',
    () => catalogued('/StructTreeRoot<</RoleMap<</S/Launch/F/Figure/JS/Code/XFA/P/EF/P>>>>'),
  ],
  [
    'a user property that is named like a key',
    () => catalogued('', '<</O/UserProperties/P[<</N(JS)/V(x)>>]/S/JavaScript>>'),
  ],
  ['private application data with scripts', () => paged('/PieceInfo<</Editor<</Private<</JS(code)/XFA(x)>>>>>>')],
  ['page labels and transitions', () => catalogued('/PageLabels<</Nums[0<</S/D>>]>>', '<</S/Wipe/D 1>>')],
  ['groups and output intents', () => paged('/Group<</S/Transparency>>', '<</Type/OutputIntent/S/GTS_PDFA1>>')],
  ['an action without a script', () => catalogued('/OpenAction<</S/JavaScript/JS null>>')],
  ['an empty XFA form', () => catalogued('/AcroForm<</Fields[]/XFA[]>>')],
  ['an empty script tree', () => catalogued('/Names<</JavaScript<</Names[]>>>>')],
  [
    'field actions that have no effect elsewhere',
    () => withField('/AA<</E<</S/Hide/T(name)>>/K<</S/Named/N/NextPage>>>>'),
  ],
])('a PDF with %s is accepted', (_case, make) => {
  expect(findActiveContent(make())).toBeUndefined();
});

function styles(...names: string[]): string[] {
  return names.map((name) => `<</Type/StructElem/S/${name}/P 1 0 R/K 0/Pg 3 0 R/T(x)>>`);
}

const attached = (length: string, ...objects: string[]) => {
  const stream = streamOf('/Type/EmbeddedFile', Buffer.from('only text'), length);
  return catalogued('/AF[5 0 R]', stream, '<</Type/Filespec/F(a.txt)/EF<</F 4 0 R>>>>', ...objects);
};

test.each<[string, () => Buffer]>([
  ['with an indirect length', () => attached('6 0 R', '9')],
  ['with a length behind two references', () => attached('6 0 R', '7 0 R', '9')],
  [
    'with its length in an object stream',
    () => attached('6 0 R', 'null', deflatedOf('/Type/ObjStm/N 1/First 4', Buffer.from('6 0 9')).toString('latin1')),
  ],
  [
    'with an indirect EF dictionary',
    () => catalogued('/AF[5 0 R]', deflatedOf('', Buffer.from('x')), '<</F(a.txt)/EF 6 0 R>>', '<</F 4 0 R/UF 4 0 R>>'),
  ],
  [
    'next to a key with the same name as its value',
    () => catalogued('/AF[5 0 R]', deflatedOf('', Buffer.from('x')), '<</Type/F/UF(a.txt)/EF<</F 4 0 R>>>>'),
  ],
  [
    'flushed without a final block, as by Acrobat',
    () => {
      const packedText = Buffer.from([0x78, 0x9c, 0x2a, 0x49, 0xad, 0x28, 0x01, 0, 0, 0, 0xff, 0xff]);
      return catalogued('/AF[5 0 R]', streamOf('/Filter/FlateDecode', packedText), '<</F(a.txt)/EF<</F 4 0 R>>>>');
    },
  ],
  ['through the name tree', () => attaching('(a.txt)')],
])('a file attached %s can be inspected', (_case, make) => {
  expect(findActiveContent(make())).toBeUndefined();
});
