import { isString, type PdfItems, listValues } from './object-reader.ts';
import { decodePdfString } from './strings.ts';

/**
 * What a document may bring along: data, texts, pictures and documents without macros. A list of what is dangerous would
 * never be complete: systems know hundreds of endings that start something.
 */
const ENDINGS = [
  ...['csv', 'docx', 'jpeg', 'jpg', 'json', 'ods', 'odp', 'odt', 'pdf', 'png', 'pptx', 'tex', 'tif', 'tiff', 'txt'],
  ...['xlsx', 'xml'],
];
/** The names of one file for the systems of this world. */
export const NAME_KEYS = ['/UF', '/F', '/DOS', '/Mac', '/Unix'];

/** A name of letters, digits and signs that mean nothing to any system. */
const WITHOUT_ENDING = /^[\p{L}\p{N}_-]([\p{L}\p{N} _-]*[\p{L}\p{N}_-])?$/u;

/** What is wrong with the name of an attached file: it decides what opens the file. Undefined when nothing is. */
export function nameFault(specification: PdfItems): string | undefined {
  // Where /F is the value of another key, what follows is a key.
  const names = NAME_KEYS.flatMap((key) => listValues(specification, key)).filter((value) => typeof value !== 'string');
  if (names.length === 0) return 'has an attached file without a name';
  for (const name of names) {
    if (!isString(name)) return 'has an attached file whose name cannot be read';
    // Without an ending, no system knows what to open the file with.
    if (WITHOUT_ENDING.test(decodePdfString(name))) continue;
    const ending = getEnding(decodePdfString(name));
    if (ending === undefined) return `has an attached file of no known type: ${allowed}`;
    if (!ENDINGS.includes(ending)) return `has an attached .${ending} file: ${allowed}`;
  }
  return undefined;
}

const allowed = `only ${ENDINGS.join(', ')} may be attached`;

/** What is wrong with the content of an attached file, under whatever name it goes. Undefined when nothing is. */
export function contentFault(content: Buffer): string | undefined {
  if (isProgram(content)) return 'has an attached file that is a program: remove it';
  if (isMarkup(content))
    return 'has an attached file that is a page, a script or a document of an office program: remove it';
  const isArchive = content.subarray(0, 2).equals(Buffer.from('PK'));
  // The names of an archive's files stand in it as they are.
  const hasMacros = isArchive && ['vbaProject.bin', 'Basic/', 'Scripts/'].some((name) => content.includes(name));
  return hasMacros ? 'has an attached document with macros: remove it' : undefined;
}

/** Markup that is more than data: what opens it runs scripts, fetches other files or is an office program. */
function isMarkup(content: Buffer): boolean {
  const text = decodeMarkup(content);
  return (
    /^\s*</.test(text) &&
    /<\?(mso-application|xml-stylesheet)|<!(doctype|entity)|<([\w.-]+:)?script\b|w3\.org\/(1999\/xhtml|2000\/svg|1999\/xsl)/i.test(
      text,
    )
  );
}

function decodeMarkup(content: Buffer): string {
  const [first, second] = [content[0], content[1]];
  // With a mark of its byte order or, as XML may, without one.
  if (first === 0xfe || first === 0) return new TextDecoder('utf-16be').decode(content);
  if (first === 0xff || second === 0) return new TextDecoder('utf-16le').decode(content);
  return content.toString('utf8').replace(/^\ufeff/, '');
}

function isProgram(content: Buffer): boolean {
  const start = content.toString('latin1', 0, 64);
  // The country of a table may be MZ.
  if (start.startsWith('MZ')) return start.includes('\0');
  return /^(\x7fELF|#!|\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe|\xca\xfe\xba\xbe)/.test(start);
}

/** The ending of a name in lower case; none where a control character may end the name early. */
function getEnding(name: string): string | undefined {
  return /^[^\x00-\x1f\x7f]*\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase();
}
