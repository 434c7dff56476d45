import { type Json, type JsonObject, object } from '../contract-diff/contract-document.ts';

export interface Example {
  /** Where it stands, as a JSON pointer. */
  pointer: string;
  value: Json;
  /** Where the schema that it keeps stands. */
  schema: string;
}

/** Every example of a document, and where there are examples that no schema speaks of. */
export function examplesOf(document: JsonObject): { examples: Example[]; escaped: string[] } {
  const examples: Example[] = [];
  const used = new Set<string>();
  const escaped: string[] = [];

  const visit = (node: Json, pointer: string, isNames = false): void => {
    if (Array.isArray(node)) return node.forEach((item, index) => visit(item, `${pointer}/${index}`));
    for (const [key, child] of Object.entries(object(node))) {
      const at = `${pointer}/${escape(key)}`;
      // What is named by the contract's author: a property may be called example.
      if (isNames) visit(child, at);
      else if (key === 'example' || key === 'examples') visitExamples(object(node), child, pointer, at);
      else if (!VALUES.includes(key)) visit(child, at, NAMES.includes(key));
    }
  };
  const visitExamples = (owner: JsonObject, given: Json, pointer: string, at: string): void => {
    if (at === '#/components/examples') return;
    if (Array.isArray(given)) {
      given.forEach((value, index) => examples.push({ pointer: `${at}/${index}`, value, schema: pointer }));
    } else if (owner.schema === undefined || at.endsWith('/example')) escaped.push(at);
    else {
      for (const [name, example] of Object.entries(object(given))) {
        const own = `${at}/${escape(name)}`;
        const shared = object(example).$ref;
        const place = typeof shared === 'string' ? shared : own;
        used.add(place);
        const { value } = typeof shared === 'string' ? lookUp(document, shared) : object(example);
        if (value === undefined) escaped.push(own);
        else examples.push({ pointer: `${place}/value`, value, schema: `${pointer}/schema` });
      }
    }
  };
  visit(document, '#');
  for (const name of Object.keys(object(object(document.components).examples))) {
    const pointer = `#/components/examples/${escape(name)}`;
    if (!used.has(pointer)) escaped.push(pointer);
  }
  return { examples, escaped };
}

/** Keys whose values are data, and not the contract's. */
const VALUES = ['default', 'const', 'enum'];
/** Keys whose children are names. */
const NAMES = ['properties', 'schemas', 'parameters', 'headers', 'responses', 'paths', 'requestBodies', 'content'];

function lookUp(document: JsonObject, pointer: string): JsonObject {
  const steps = pointer.slice('#/'.length).split('/');
  return object(steps.reduce<Json | undefined>((found, step) => object(found)[unescape(step)], document));
}

function escape(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescape(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
