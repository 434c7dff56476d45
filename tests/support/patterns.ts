/** Returns the distinct `pattern` values in a document. */
export function patternsIn(document: unknown): string[] {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (!(node instanceof Object)) return;
    for (const [key, value] of Object.entries(node))
      if (key === 'pattern' && typeof value === 'string') found.add(value);
      else visit(value);
  };
  visit(document);
  return [...found];
}
