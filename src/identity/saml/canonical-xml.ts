// Writes XML in the form of exclusive canonicalisation, so that the output can be signed unchanged. The caller declares
// each namespace on the outermost elements that use it, and passes attributes in the order of their names.

const TEXT: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' };
const ATTRIBUTE: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '"': '&quot;' },
  ...{ '\t': '&#x9;', '\n': '&#xA;', '\r': '&#xD;' },
};

/** Escapes a string as canonical XML does. */
export function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => TEXT[character]!);
}

/**
 * Writes an element. Attributes that are undefined are left out.
 * @param attributes namespace declarations first, then the attributes by name
 * @param content elements, and strings escaped by escapeText
 */
export function writeElement(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  ...content: readonly string[]
): string {
  const pairs = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const written = pairs.map(([key, value]) => {
    return ` ${key}="${value!.replace(/[&<"\t\n\r]/g, (character) => ATTRIBUTE[character]!)}"`;
  });
  return `<${name}${written.join('')}>${content.join('')}</${name}>`;
}
