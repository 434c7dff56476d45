/**
 * The parts of xmldom that the service uses. The library's own types would bring the DOM's types into the whole service,
 * so `tsconfig.json` maps the library to this file.
 */
export interface XmlNode {
  /** Null for text. */
  readonly localName: string | null;
  readonly childNodes: ArrayLike<XmlNode>;
  readonly parentNode: XmlNode | null;
  /** Missing for documents and text. */
  readonly attributes?: ArrayLike<XmlAttribute>;
  removeChild(child: XmlNode): void;
}

export interface XmlAttribute {
  readonly namespaceURI: string | null;
  readonly localName: string;
  readonly nodeName: string;
  readonly nodeValue: string;
}

export class DOMParser {
  constructor(options: {
    errorHandler: (level: string, message: string) => void;
    normalizeLineEndings: (text: string) => string;
  });
  parseFromString(text: string, type: 'text/xml'): { readonly documentElement: XmlNode };
}
