import { SaxesParser } from 'saxes';

const MAX_DEPTH = 50;

/** An XML element. Names have no namespace prefixes. */
export interface XmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  text: string;
}

/** Error for a rejected document. The message is worded to follow the document's name. */
export class XmlFault extends Error {}

/**
 * Parses XML. Ignores namespace prefixes, because many authoring tools write a prefix that they do not declare. A
 * DOCTYPE is accepted, but its file is never read. A DOCTYPE that declares entities is rejected, because entities could
 * refer to other files or expand to a huge amount of text.
 * @throws {XmlFault} with the line of the fault
 */
export function readXml(text: string): { root: XmlElement; namespaces: ReadonlySet<string> } {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const namespaces = new Set<string>();
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY/i.test(doctype)) throw faultAt(parser, 'has a DOCTYPE that declares entities');
  });
  parser.on('error', ({ message }) => {
    throw faultAt(parser, `is not well-formed XML: ${withoutPosition(message)}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= MAX_DEPTH) throw faultAt(parser, 'is nested too deeply');
    for (const space of listNamespaces(attributes)) namespaces.add(space);
    const element: XmlElement = { name: toLocal(name), attributes: toLocals(attributes), children: [], text: '' };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const add = (piece: string): void => {
    const element = open.at(-1);
    if (element) element.text += piece;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => void open.pop());
  // Some tools write blank lines before the XML declaration.
  parser.write(text.trimStart()).close();
  if (!root) throw new XmlFault('is not well-formed XML');
  return { root, namespaces };
}

function faultAt({ line, column }: Pick<SaxesParser, 'line' | 'column'>, message: string): XmlFault {
  return new XmlFault(`${message} (line ${line}, column ${column})`);
}

/** Removes the position that the parser puts before its messages, and the full stop after them. */
function withoutPosition(message: string): string {
  return message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
}

function listNamespaces(attributes: Record<string, string>): string[] {
  return Object.entries(attributes).flatMap(([name, value]) => (/^xmlns(:|$)/.test(name) ? [value.trim()] : []));
}

const toLocal = (name: string) => name.slice(name.lastIndexOf(':') + 1);

/**
 * Removes the prefixes of attribute names. An attribute without a prefix takes precedence over an attribute with one.
 */
function toLocals(attributes: Record<string, string>): Map<string, string> {
  const own = Object.entries(attributes).filter(([name]) => !/^xmlns(:|$)/.test(name));
  const inOrder = own.toSorted(([a], [b]) => Number(b.includes(':')) - Number(a.includes(':')));
  return new Map(inOrder.map(([name, value]) => [toLocal(name), value]));
}

const SINGLE_BYTE = 'windows-1252';

/**
 * Decodes XML by its byte order mark or first bytes; otherwise by its declared encoding. Wrong declarations are common,
 * such as UTF-8 that is declared as UTF-16. Text that does not match its declaration is therefore read as UTF-8 or, if
 * that fails, as Windows-1252, which can decode any bytes.
 */
export function decodeXml(bytes: Buffer): string {
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(
    bytes.subarray(0, 200).toString('latin1'),
  )?.[1];
  // If the declaration can be read byte by byte, the text is not UTF-16.
  const ofDeclaration = declared !== undefined && !/^(utf-?16|ucs-?2|iso-10646)/i.test(declared) ? [declared] : [];
  for (const encoding of [detectEncoding(bytes) ?? ofDeclaration, 'utf-8'].flat()) {
    const text = decode(bytes, encoding);
    if (text !== undefined) return text;
  }
  return new TextDecoder(SINGLE_BYTE).decode(bytes);
}

/** Returns undefined if the encoding is unknown or the bytes do not match it. */
function decode(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function detectEncoding(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 2);
  if (start === '\xff\xfe' || start === '<\0') return 'utf-16le';
  return start === '\xfe\xff' || start === '\0<' ? 'utf-16be' : undefined;
}
