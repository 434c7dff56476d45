import { type ContractDocument, type Ref, resolve, type Schema } from './document.ts';

export interface FieldRow {
  name: string;
  type: string;
  required: boolean;
  description: string;
}

/** Lists the fields of an object. Fields of nested objects follow with their path: `learners[].email`. */
export function listFields(document: ContractDocument, schema: Schema | Ref): FieldRow[] {
  return fieldsBelow(document, schema, '', []);
}

/** Formats a type in words: `string (email, at most 254 characters) or null`. */
export function formatType(document: ContractDocument, schemaOrRef: Schema | Ref): string {
  const schema = resolve(document, schemaOrRef);
  if (schema.oneOf) return schema.oneOf.map((one) => formatType(document, one)).join(' or ');
  if (schema.enum) return formatValues(schema.enum);
  if (schema['x-extensible-enum']) return `${formatValues(schema['x-extensible-enum'])} or a new value`;
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  const types = [schema.type ?? 'any'].flat();
  return types.map((type) => (type === 'null' ? type : plainType(document, schema, type))).join(' or ');
}

function formatValues(values: unknown[]): string {
  return values.map((value) => `\`${String(value)}\``).join(', ');
}

function fieldsBelow(document: ContractDocument, schemaOrRef: Schema | Ref, path: string, above: Schema[]): FieldRow[] {
  const schema = objectIn(document, schemaOrRef);
  // Stops at a schema that contains itself.
  if (!schema?.properties || above.includes(schema)) return [];
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    const row: FieldRow = {
      name: path + name,
      type: formatType(document, property),
      required: schema.required?.includes(name) ?? false,
      description: resolve(document, property).description ?? '',
    };
    const isList = listIn(document, property) !== undefined;
    const below = fieldsBelow(document, property, `${row.name}${isList ? '[]' : ''}.`, [...above, schema]);
    return [row, ...below];
  });
}

/** Finds the object of a schema: the schema itself, the items of its list, or its variant that is not null. */
function objectIn(document: ContractDocument, schemaOrRef: Schema | Ref): Schema | undefined {
  const schema = resolve(document, schemaOrRef);
  if (schema.properties) return schema;
  const inner = listIn(document, schema) ?? notNull(document, schema);
  return inner && objectIn(document, inner);
}

function listIn(document: ContractDocument, schemaOrRef: Schema | Ref): Schema | Ref | undefined {
  const schema = resolve(document, schemaOrRef);
  return schema.items ?? (schema.oneOf && notNull(document, schema)?.items);
}

function notNull(document: ContractDocument, { oneOf }: Schema): Schema | undefined {
  return oneOf?.map((one) => resolve(document, one)).find((one) => one.type !== 'null');
}

function plainType(document: ContractDocument, schema: Schema, type: string): string {
  const bounds = listBounds(schema);
  const name = type === 'array' && schema.items ? `list of ${formatType(document, schema.items)}` : type;
  return bounds.length > 0 ? `${name} (${bounds.join(', ')})` : name;
}

function listBounds(schema: Schema): string[] {
  const { format, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const words = [
    format,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    minLength !== undefined && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    minItems !== undefined && `at least ${minItems} items`,
    maxItems !== undefined && `at most ${maxItems.toLocaleString('en')} items`,
    schema.default !== undefined && `default \`${JSON.stringify(schema.default)}\``,
  ];
  return words.filter((word) => typeof word === 'string');
}
