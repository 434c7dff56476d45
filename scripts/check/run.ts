// Validates generated/openapi.json and every example in it, with a validator that neither the other linters nor the
// service use. Rejects placeholders of the scaffold and components with the same name.
//   node scripts/check/run.ts [file]
import { readFileSync } from 'node:fs';
import '@hyperjump/json-schema/formats';
import { type Output, registerSchema, setShouldValidateFormat, validate } from '@hyperjump/json-schema/openapi-3-1';
import { listExamples } from './contract-examples.ts';
import { child, closeExtensibleEnums, type Json, type JsonObject, object } from '../../contract-gate/src/index.ts';
import { placeholders } from '../scaffold/placeholders.ts';

const OPENAPI = 'https://spec.openapis.org/oas/3.1/schema-base';
const CONTRACT = 'https://contract.invalid/openapi';

const file = process.argv[2] ?? 'generated/openapi.json';
const document = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
setShouldValidateFormat(true);
const isOpenApi = await validate(OPENAPI);
const unwritten = new Set<unknown>(Object.values(placeholders));
const problems = [
  ...listProblems(isOpenApi(document, 'BASIC'), '#'),
  ...placeholdersIn(document, '#'),
  ...twinsIn(object(document.components)),
];
if (problems.length === 0) {
  registerSchema(closeExtensibleEnums(document), CONTRACT, OPENAPI);
  const { examples, escaped } = listExamples(document);
  problems.push(...escaped.map((pointer) => `${pointer}  this example has no schema`));
  for (const { pointer, value, schema } of examples) {
    const isValid = await validate(`${CONTRACT}${encodeURI(schema)}`);
    problems.push(...listProblems(isValid(value, 'BASIC'), pointer));
  }
  if (problems.length === 0) console.log(`${file} is valid OpenAPI 3.1, and so are its ${examples.length} examples.`);
}
if (problems.length > 0) {
  console.error(problems.map((problem) => `${file} ${problem}`).join('\n'));
  process.exitCode = 1;
}

function listProblems(output: Output, pointer: string): string[] {
  const errors = output.valid ? [] : output.errors!;
  return errors.map(({ instanceLocation, absoluteKeywordLocation }) => {
    const place = decodeURIComponent(instanceLocation).replace(/^#/, '');
    return `${pointer}${place}  violates ${decodeURIComponent(absoluteKeywordLocation)}`;
  });
}

function placeholdersIn(value: Json, pointer: string): string[] {
  if (typeof value === 'string')
    return unwritten.has(value.trim())
      ? [`${pointer}  is still a placeholder of make scaffold: “${value.trim()}”`]
      : [];
  if (!value || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) => placeholdersIn(one, child(pointer, name)));
}

/**
 * Finds components whose names differ only in case and punctuation: ogen rejects them, and other generators write one
 * type twice.
 */
function twinsIn(components: JsonObject): string[] {
  const known = new Map<string, string>();
  const names = Object.entries(components).flatMap(([kind, named]) =>
    Object.keys(object(named)).map((name) => [kind, name]),
  );
  return names.flatMap(([kind, name]) => {
    const stem = name!.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
    const twin = known.get(stem);
    known.set(stem, twin ?? `${kind}/${name}`);
    if (twin === undefined) return [];
    return [
      `${child('#/components', kind!, name!)}  has the same name as ${twin}; generators would merge both into one type`,
    ];
  });
}
