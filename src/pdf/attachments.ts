import { isString, type PdfItems, listValues } from './object-reader.ts';
import { decodePdfString } from './strings.ts';

/**
 * Extensions of files that can be attached: data, text, pictures and documents without macros. A list of dangerous
 * extensions would never be complete, because systems know hundreds that start something.
 */
const ENDINGS = [
  ...['csv', 'docx', 'jpeg', 'jpg', 'json', 'ods', 'odp', 'odt', 'pdf', 'png', 'pptx', 'tex', 'tif', 'tiff', 'txt'],
  ...['xlsx', 'xml'],
];
/** Keys of a file's names for different systems. */
export const NAME_KEYS = ['/UF', '/F', '/DOS', '/Mac', '/Unix'];

/** A name of letters, digits and characters that have no special meaning on any system. */
const WITHOUT_ENDING = /^[\p{L}\p{N}_-]([\p{L}\p{N} _-]*[\p{L}\p{N}_-])?$/u;

/** Returns the fault of an attached file's name, which decides what opens the file; undefined if there is none. */
export function nameFault(specification: PdfItems): string | undefined {
  // `/F` can also be the value of another key. A key then follows it, and that key is not a name of the file.
  const names = NAME_KEYS.flatMap((key) => listValues(specification, key)).filter((value) => typeof value !== 'string');
  if (names.length === 0) return 'has an attached file without a name';
  for (const name of names) {
    if (!isString(name)) return 'has an attached file whose name cannot be read';
    // Without an extension, no system knows which program opens the file.
    if (WITHOUT_ENDING.test(decodePdfString(name))) continue;
    const ending = getEnding(decodePdfString(name));
    if (ending === undefined) return `has an attached file of an unknown type; ${allowed}`;
    if (!ENDINGS.includes(ending)) return `has an attached .${ending} file; ${allowed}`;
  }
  return undefined;
}

const allowed = `only ${ENDINGS.join(', ')} can be attached`;

/** Returns the fault of an attached file's content, regardless of its name; undefined if there is none. */
export function contentFault(content: Buffer): string | undefined {
  if (isProgram(content)) return 'has an attached file that is a program; remove it';
  if (isMarkup(content)) return 'has an attached file that is a web page, a script or an office document; remove it';
  const isArchive = content.subarray(0, 2).equals(Buffer.from('PK'));
  // An archive contains the names of its files uncompressed.
  const hasMacros = isArchive && ['vbaProject.bin', 'Basic/', 'Scripts/'].some((name) => content.includes(name));
  return hasMacros ? 'has an attached document with macros; remove it' : undefined;
}

/**
 * Reports whether content is markup that is more than data: the program that opens it runs scripts, fetches other files
 * or is an office program.
 */
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
  // UTF-16, with a byte order mark or, as XML allows, without one.
  if (first === 0xfe || first === 0) return new TextDecoder('utf-16be').decode(content);
  if (first === 0xff || second === 0) return new TextDecoder('utf-16le').decode(content);
  return content.toString('utf8').replace(/^\ufeff/, '');
}

function isProgram(content: Buffer): boolean {
  const start = content.toString('latin1', 0, 64);
  // A table can begin with MZ, the country code of Mozambique.
  if (start.startsWith('MZ')) return start.includes('\0');
  return /^(\x7fELF|#!|\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe|\xca\xfe\xba\xbe)/.test(start);
}

/**
 * Returns the extension of a name in lower case; undefined if there is none, or if a control character could end the
 * name earlier.
 */
function getEnding(name: string): string | undefined {
  return /^[^\x00-\x1f\x7f]*\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase();
}
