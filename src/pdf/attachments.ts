import { type PdfItems, type PdfString, valuesOf } from './object-reader.ts';

/**
 * What a document may bring along: data, texts, pictures and documents without macros. A list of what is dangerous would
 * never be complete: systems know hundreds of endings that start something.
 */
const ENDINGS = [
  ...['csv', 'docx', 'jpeg', 'jpg', 'json', 'ods', 'odp', 'odt', 'pdf', 'png', 'pptx', 'tif', 'tiff', 'txt', 'xlsx'],
  'xml',
];
/** The names of one file for the systems of this world. */
const NAME_KEYS = ['/UF', '/F', '/DOS', '/Mac', '/Unix'];

/** What is wrong with the name of an attached file: it decides what opens the file. Undefined when nothing is. */
export function nameFault(specification: PdfItems): string | undefined {
  const names = NAME_KEYS.flatMap((key) => valuesOf(specification, key));
  if (names.length === 0) return 'has an attached file without a name';
  for (const name of names) {
    if (typeof name !== 'object' || !('raw' in name)) return 'has an attached file whose name cannot be read';
    const ending = endingOf(textOf(name));
    if (ending === undefined) return `has an attached file of no known type: ${allowed}`;
    if (!ENDINGS.includes(ending)) return `has an attached .${ending} file: ${allowed}`;
  }
  return undefined;
}

const allowed = `only ${ENDINGS.join(', ')} may be attached`;

/** The object numbers of the streams that hold an attached file. */
export function streamsOf({ items }: PdfItems): number[] {
  return items.flatMap((value, index) => (value === 'R' ? [items[index - 2] as number] : []));
}

/** What is wrong with the content of an attached file, under whatever name it goes. Undefined when nothing is. */
export function contentFault(content: Buffer): string | undefined {
  if (isProgram(content)) return 'has an attached file that is a program: remove it';
  const isArchive = content.subarray(0, 2).equals(Buffer.from('PK'));
  // The names of an archive's files stand in it as they are.
  const hasMacros = isArchive && ['vbaProject.bin', 'Basic/', 'Scripts/'].some((name) => content.includes(name));
  return hasMacros ? 'has an attached document with macros: remove it' : undefined;
}

function isProgram(content: Buffer): boolean {
  const start = content.toString('latin1', 0, 64);
  // The country of a table may be MZ.
  if (start.startsWith('MZ')) return start.includes('\0');
  return /^(\x7fELF|#!|\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe|\xca\xfe\xba\xbe)/.test(start);
}

/** The ending of a name in lower case; none where a control character may end the name early. */
function endingOf(name: string): string | undefined {
  return /^[^\x00-\x1f\x7f]*\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase();
}

function textOf({ raw }: PdfString): string {
  const text = raw.toString('latin1', 1, raw.length - 1);
  const bytes = Buffer.from(
    raw[0] === LESS ? text.replace(/[^\da-f]/gi, '') : unescaped(text),
    raw[0] === LESS ? 'hex' : 'latin1',
  );
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString('utf8', 3);
  return bytes.toString('latin1');
}

function unescaped(text: string): string {
  return text.replace(/\\(\r\n|[0-7]{1,3}|[^])/g, (_escape, sign: string) => {
    if (/^[0-7]/.test(sign)) return String.fromCharCode(parseInt(sign, 8) & 0xff);
    if (/^[\r\n]/.test(sign)) return '';
    return CONTROLS[sign] ?? sign;
  });
}

const LESS = 0x3c;
const CONTROLS: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
