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
 * Parses XML with namespaces. Rejects a DOCTYPE, which could refer to other files or expand to huge text.
 * @throws {XmlFault}
 */
export function readXml(text: string): { root: XmlElement; namespaces: ReadonlySet<string> } {
  const parser = new SaxesParser({ xmlns: true });
  const namespaces = new Set<string>();
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  parser.on('doctype', () => {
    throw new XmlFault('has a DOCTYPE');
  });
  parser.on('error', () => {
    throw new XmlFault('is not well-formed XML');
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (open.length >= MAX_DEPTH) throw new XmlFault('is nested too deeply');
    for (const { uri: space } of [{ uri }, ...Object.values(attributes)]) namespaces.add(space);
    const pairs = Object.values(attributes).map(({ local: name, value }) => [name, value] as const);
    const element: XmlElement = { name: local, attributes: new Map(pairs), children: [], text: '' };
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
  parser.write(text).close();
  if (!root) throw new XmlFault('is not well-formed XML');
  return { root, namespaces };
}

/** Decodes XML by its byte order mark, else by its declared encoding, else as UTF-8. @throws {XmlFault} */
export function decodeXml(bytes: Buffer): string {
  const declaredEncoding = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(
    bytes.subarray(0, 200).toString('latin1'),
  )?.[1];
  try {
    return new TextDecoder(detectByteOrderMark(bytes) ?? declaredEncoding ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new XmlFault('has an encoding that cannot be read');
  }
}

function detectByteOrderMark(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}
