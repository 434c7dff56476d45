/**
 * The parts of xmldom that the service uses. The library's own types would bring the DOM's types into the whole service,
 * so `tsconfig.json` maps the library to this file.
 */
export interface XmlNode {
  readonly localName: string | null;
  readonly childNodes: ArrayLike<XmlNode>;
}

export class DOMParser {
  constructor(options: { errorHandler: (level: string, message: string) => void });
  parseFromString(text: string, type: 'text/xml'): { readonly documentElement: XmlNode };
}
