import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { SamlFault, type SamlFaultCode } from './saml-fault.ts';

/** An XML element. `attributes` has only the attributes without a namespace. */
export interface XmlElement {
  namespace: string;
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  /** Text directly in the element, without the text of its children. */
  text: string;
}

/** The limits of a document. */
export interface XmlLimits {
  code: SamlFaultCode;
  maxElements: number;
  /** Maximum number of attributes, including namespace declarations. */
  maxAttributes: number;
  /**
   * Whether comments are allowed. In responses, parsers could disagree about the text around a comment; metadata often
   * has comments.
   */
  allowsComments: boolean;
}

const MAX_DEPTH = 32;
const MAX_ATTRIBUTES_PER_ELEMENT = 24;
/** Maximum number of declarations on an element and its ancestors. Canonicalisation copies them for each node. */
const MAX_DECLARATIONS_IN_SCOPE = 64;
/** Maximum length of a namespace. Canonicalisation repeats the declaration wherever the namespace is used. */
const MAX_NAMESPACE = 200;

/**
 * Parses a document as XML 1.0 with namespaces.
 * Rejects DOCTYPEs, processing instructions, CDATA sections, repeated ids, and attributes whose names only look like
 * namespace declarations: XML parsers and canonicalisers disagree about them, and no provider needs them.
 * @throws {SamlFault}
 */
export function parseStrictXml(text: string, limits: XmlLimits): XmlElement {
  const reader = new StrictReader(limits);
  const parser = new SaxesParser({ xmlns: true, position: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  const reject = (detail: string) => () => reader.reject(detail);
  parser.on('error', reject('The document is not well-formed XML.'));
  parser.on('doctype', reject('The document has a DOCTYPE, which is not allowed.'));
  parser.on('processinginstruction', reject('The document has a processing instruction, which is not allowed.'));
  parser.on('cdata', reject('The document has a CDATA section, which is not allowed.'));
  if (!limits.allowsComments) parser.on('comment', reject('The document has a comment, which is not allowed.'));
  parser.on('xmldecl', ({ version, encoding }) => {
    if (version !== '1.0' || !/^utf-?8$/i.test(encoding ?? 'utf-8')) {
      reader.reject('The document must be XML 1.0 in UTF-8.');
    }
  });
  parser.on('attribute', (attribute) => reader.countAttribute(attribute));
  parser.on('opentag', (tag) => reader.open(tag));
  parser.on('text', (piece) => reader.add(piece));
  parser.on('closetag', () => reader.close());
  parser.write(text).close();
  return reader.root ?? reader.reject('The document is empty.');
}

interface OpenElement extends XmlElement {
  declarations: number;
}

class StrictReader {
  root: XmlElement | undefined;
  readonly #limits: XmlLimits;
  readonly #open: OpenElement[] = [];
  readonly #ids = new Set<string>();
  #elements = 0;
  #attributes = 0;
  #attributesOfElement = 0;

  constructor(limits: XmlLimits) {
    this.#limits = limits;
  }

  reject(detail: string): never {
    throw new SamlFault(this.#limits.code, detail);
  }

  countAttribute(attribute: { prefix: string; name: string; value: string }): void {
    this.#attributes += 1;
    this.#attributesOfElement += 1;
    if (isDeclaration(attribute) && attribute.value.length > MAX_NAMESPACE) {
      this.reject('The document has a namespace that is too long.');
    }
    const isTooMany =
      this.#attributes > this.#limits.maxAttributes || this.#attributesOfElement > MAX_ATTRIBUTES_PER_ELEMENT;
    if (isTooMany) this.reject('The document has too many attributes.');
  }

  open({ uri, local, attributes }: SaxesTagNS): void {
    const parent = this.#open.at(-1);
    this.#attributesOfElement = 0;
    this.#elements += 1;
    if (this.#elements > this.#limits.maxElements) this.reject('The document has too many elements.');
    if (this.#open.length >= MAX_DEPTH) this.reject('The document is nested too deeply.');
    const all = Object.values(attributes);
    const declared = all.filter(isDeclaration).length;
    const declarations = (parent?.declarations ?? 0) + declared;
    if (declarations > MAX_DECLARATIONS_IN_SCOPE) this.reject('The document has too many namespace declarations.');
    all.forEach((attribute) => this.#check(attribute));
    const own = all.filter(({ prefix, name }) => prefix === '' && name !== 'xmlns');
    const pairs = own.map(({ name, value }) => [name, value] as const);
    const element = { namespace: uri, name: local, attributes: new Map(pairs), children: [], text: '', declarations };
    parent?.children.push(element);
    this.root ??= element;
    this.#open.push(element);
  }

  add(piece: string): void {
    const element = this.#open.at(-1);
    if (element) element.text += piece;
  }

  close(): void {
    this.#open.pop();
  }

  /**
   * Id attributes are recognised by their local name, in upper or lower case, as the most lenient verifier would find
   * them.
   */
  #check(attribute: SaxesAttributeNS): void {
    if (attribute.name.startsWith('xmlns') && !isDeclaration(attribute)) {
      this.reject('The document has an attribute that looks like a namespace declaration.');
    }
    if (attribute.local.toLowerCase() !== 'id' || isDeclaration(attribute)) return;
    if (this.#ids.has(attribute.value)) this.reject('The document has the same ID twice.');
    this.#ids.add(attribute.value);
  }
}

function isDeclaration({ prefix, name }: Pick<SaxesAttributeNS, 'prefix' | 'name'>): boolean {
  return prefix === 'xmlns' || name === 'xmlns';
}

/** Lists the children of an element with a name. */
export function listChildren(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name && child.namespace === namespace);
}

/** Lists an element and all elements in it. */
export function listElements(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap(listElements)];
}
