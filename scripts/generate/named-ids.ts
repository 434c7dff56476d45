import {
  type FoundOperation,
  type Json,
  type JsonObject,
  object,
  parametersOf,
  resolve,
  text,
} from '../../contract-gate/src/index.ts';

const ID = '#/components/schemas/Id';

/**
 * Returns the paths of the ids in a call, for the audit log: `sent` has those in the parameters and the body,
 * `answered` those of created objects in the response. A path is a sequence of names, and leads through lists:
 * `body/results/learnerId`. `fields` has the declared names of a body that can also have names made up by another
 * system.
 */
export function listNamedIds(document: JsonObject, found: FoundOperation): JsonObject {
  const { path, operation } = found;
  const parameters = parametersOf(document, found)
    .filter((parameter) => parameter.in === 'path' || isIds(document, parameter.schema))
    .map((parameter) => text(parameter.name));
  const body = resolveSchema(document, operation.requestBody);
  const data = object(resolveSchema(document, object(operation.responses)['200']).properties).data;
  const made = path.includes('{') || object(operation['x-mcp']).cluster === 'read' ? [] : idsOfNew(document, data);
  const named: JsonObject = { sent: [...parameters, ...placesIn(document, body, 'body')], answered: made };
  if (body.additionalProperties === true) named.fields = Object.keys(object(body.properties));
  return named;
}

/**
 * Returns the paths of the id of a created object or file, and of the ids in the list `created` or `updated`. A created
 * object can be in a field, for example next to a secret.
 */
function idsOfNew(document: JsonObject, data: Json | undefined): string[] {
  const properties = object(resolve(document, data).properties);
  const [list = ''] = ['created', 'updated'].filter((name) => name in properties);
  const { items } = resolve(document, properties[list]);
  const own = ['id', 'pdfFile'].filter((name) => name in properties);
  const isThing = (value: Json) => 'id' in object(resolve(document, value).properties);
  const things = Object.entries(properties).filter(([, value]) => own.length === 0 && isThing(value));
  return [...own, ...things.map(([name]) => `${name}/id`), ...placesIn(document, items, list)];
}

function placesIn(document: JsonObject, schema: Json | undefined, place: string): string[] {
  if (isIds(document, schema)) return [place];
  const { items, properties } = resolve(document, schema);
  if (items !== undefined) return placesIn(document, items, place);
  return Object.entries(object(properties)).flatMap(([name, value]) => placesIn(document, value, `${place}/${name}`));
}

/** Reports whether a schema is an id or a list of ids. */
function isIds(document: JsonObject, schema: Json | undefined): boolean {
  if (object(schema).$ref === ID) return true;
  const { items } = resolve(document, schema);
  return object(items).$ref === ID;
}

function resolveSchema(document: JsonObject, holder: Json | undefined): JsonObject {
  const { schema } = object(object(resolve(document, holder).content)['application/json']);
  return resolve(document, schema);
}
