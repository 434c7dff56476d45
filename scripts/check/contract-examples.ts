import { child, type Json, type JsonObject, object, resolved } from '../../contract-gate/src/index.ts';

export interface Example {
  /** A JSON pointer. */
  pointer: string;
  value: Json;
  /** The pointer of its schema. */
  schema: string;
}

/** Returns every example of a document, and the pointers of examples that have no schema. */
export function listExamples(document: JsonObject): { examples: Example[]; escaped: string[] } {
  const examples: Example[] = [];
  const used = new Set<string>();
  const escaped: string[] = [];

  const visit = (node: Json, pointer: string, isNames = false): void => {
    if (Array.isArray(node)) return node.forEach((item, index) => visit(item, child(pointer, index)));
    for (const [key, value] of Object.entries(object(node))) {
      const place = child(pointer, key);
      // Authors choose these names: a property can be called `example`.
      if (isNames) visit(value, place);
      else if (key === 'example' || key === 'examples') visitExamples(object(node), value, pointer, place);
      else if (!VALUES.includes(key)) visit(value, place, NAMES.includes(key));
    }
  };
  const visitExamples = (owner: JsonObject, given: Json, pointer: string, listed: string): void => {
    if (listed === '#/components/examples') return;
    if (Array.isArray(given)) {
      given.forEach((value, index) => examples.push({ pointer: child(listed, index), value, schema: pointer }));
    } else if (owner.schema === undefined || listed.endsWith('/example')) escaped.push(listed);
    else {
      for (const [name, example] of Object.entries(object(given))) {
        const [{ value }, place] = resolved(document, example, child(listed, name));
        used.add(place);
        if (value === undefined) escaped.push(child(listed, name));
        else examples.push({ pointer: `${place}/value`, value, schema: `${pointer}/schema` });
      }
    }
  };
  visit(document, '#');
  for (const name of Object.keys(object(object(document.components).examples))) {
    const pointer = child('#/components/examples', name);
    if (!used.has(pointer)) escaped.push(pointer);
  }
  return { examples, escaped };
}

/** Keys whose values are data. */
const VALUES = ['default', 'const', 'enum'];
/** Keys whose children are names. */
const NAMES = ['properties', 'schemas', 'parameters', 'headers', 'responses', 'paths', 'requestBodies', 'content'];
