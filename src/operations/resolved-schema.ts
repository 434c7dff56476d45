/** Returns a part of a document with its references resolved. No schema of the contract contains itself. */
export function resolved<T>(part: T, document: object): T {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((item: unknown) => resolved(item, document)) as T;
  const { $ref, ...own } = part as { $ref?: string };
  const meant = $ref === undefined ? {} : (resolved(target($ref, document), document) as object);
  const entries = Object.entries(own).map(([key, value]) => [key, resolved(value, document)]);
  return { ...meant, ...Object.fromEntries(entries) } as T;
}

function target(ref: string, document: object): unknown {
  const steps = ref.split('/').slice(1);
  return steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], document);
}
