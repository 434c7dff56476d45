import { join } from 'node:path';
import ts from 'typescript';
import { operations } from '../../generated/operations.ts';
import { programOf, PropertyReads } from '../support/property-reads.ts';

const root = join(import.meta.dirname, '../..');
/** The folders with handler code. Pages and jobs read nothing of an API request. */
const HANDLERS = /\/src\/(rest|operations|resources|db|auth)\//;

const REHEARSED = 'the pipeline reads it from the input of every operation: rehearse in src/operations/invoke.ts';
/** Properties that no expression reads, with the reason. */
const UNREAD: Record<string, string> = {
  'activateLearners/dryRun': REHEARSED,
  'addGroupLearners/dryRun': REHEARSED,
  'createCourseEnrollments/dryRun': REHEARSED,
  'createPolicyAssignments/dryRun': REHEARSED,
  'deactivateLearners/dryRun': REHEARSED,
  'getOpenApiDocument/version': 'the operation has no handler: ContractVersions.requested reads it from the raw query',
  'listPolicies/pdfOnly': 'every policy is a PDF, so that the parameter leaves out none',
  'listPolicyTemplates/pdfOnly': 'every template is a PDF, likewise',
  'recordSimulationEvents/events/evidence/messageId':
    'the column simulation_events.message_id is generated from it, in a migration',
  'removeCourseEnrollments/dryRun': REHEARSED,
  'removeGroupLearners/dryRun': REHEARSED,
  'removePolicyAssignments/dryRun': REHEARSED,
  'sendCourseReminders/dryRun': REHEARSED,
  'sendPolicyReminders/dryRun': REHEARSED,
};

/** Reports whether the mount reads the parameter for every operation whose row in `operations` declares it. */
function isReadByMount(operationId: string, name: string): boolean {
  const { pages, companyId } = operations[operationId as keyof typeof operations];
  return name === 'companyId' ? companyId : pages !== null && (name === 'limit' || name === 'cursor');
}

test('the code reads every body property and every query parameter', () => {
  const files = ts.sys.readDirectory(join(root, 'src'), ['.ts']);
  const program = programOf(files, join(root, 'tsconfig.json'));
  const reads = new PropertyReads(program, (file) => HANDLERS.test(file));
  const properties = requestProperties(program);
  expect(properties.length).toBeGreaterThan(300);
  const unread = properties.filter(({ property }) => !reads.has(property)).map(({ place }) => place);
  expect(unread.toSorted()).toEqual(Object.keys(UNREAD));
});

interface Property {
  /** The operationId, then the path of names to the property. */
  place: string;
  property: ts.Symbol;
}

/** Lists the properties of all request types, except those that the mount reads. */
function requestProperties(program: ts.Program): Property[] {
  const checker = program.getTypeChecker();
  const types = program.getSourceFile(join(root, 'generated/api-types.ts'))!;
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(types)!);
  const table = checker.getDeclaredTypeOfSymbol(exported.find(({ name }) => name === 'operations')!);
  const at = (type: ts.Type, ...names: string[]) =>
    names.reduce<ts.Type | undefined>((owner, name) => {
      const property = owner && checker.getPropertyOfType(owner, name);
      return property && checker.getNonNullableType(checker.getTypeOfSymbol(property));
    }, type);
  const within = (type: ts.Type, place: string, through: ts.Type[] = []): Property[] =>
    (type.isUnion() ? type.types : [type]).flatMap((part) => {
      if (through.includes(part) || !(part.flags & ts.TypeFlags.Object)) return [];
      if (checker.isArrayType(part))
        return within(checker.getTypeArguments(part as ts.TypeReference)[0]!, place, through);
      return part.getProperties().flatMap((property): Property[] => {
        const below = `${place}/${property.name}`;
        return [{ place: below, property }, ...within(checker.getTypeOfSymbol(property), below, [...through, part])];
      });
    });
  return table.getProperties().flatMap((operation) => {
    if (!(operation.name in operations)) return []; // A webhook, whose body is sent.
    const type = checker.getTypeOfSymbol(operation);
    const parts = [at(type, 'parameters', 'query'), at(type, 'requestBody', 'content', 'application/json')];
    const found = parts.flatMap((part) => (part ? within(part, operation.name) : []));
    return found.filter(({ place }) => !isReadByMount(...(place.split('/') as [string, string])));
  });
}

/** Two types whose properties have the same names, and declarations for the code of the tests. */
const TYPES = `
  interface Input { name: string; count: number; inner: { note: string }; items: { note: string }[] }
  interface Other { name: string; count: number; note: string }
  interface Parameter { sql: string }
  type Parameters<P> = { readonly [Name in keyof P & string]-?: Parameter };
  declare const input: Input; declare const other: Other;
  declare function take<T>(value: T): T;
  declare function run<P>(statement: (p: Parameters<P>) => string, params: P): void;
`;
const read: [title: string, property: string, code: string][] = [
  ['an access', 'name', 'input.name;'],
  ['an optional access', 'name', '(input as Input | undefined)?.name;'],
  ['an access by its literal name', 'name', "input['name'];"],
  ['an access by a union of names', 'name', "const key = 'name' as 'name' | 'count'; input[key];"],
  ['a destructuring', 'name', 'const { name } = input;'],
  ['a renaming destructuring', 'name', 'const { name: given } = input;'],
  ['a destructured parameter', 'name', 'const f = ({ name }: Input) => name;'],
  ['an access in a nested object', 'note', 'input.inner.note;'],
  ['an access in a list', 'note', 'for (const { note } of input.items) note;'],
  ['an access to a copy', 'name', 'const copy = { ...input, more: 1 }; copy.name;'],
  ['an access to a rest object', 'name', 'const { count, ...rest } = input; rest.name;'],
  ['an access to a Pick', 'name', "const f = (part: Pick<Input, 'name'>) => part.name;"],
  ['an access through a type parameter', 'name', 'const f = <T extends Input>(value: T) => value.name;'],
  ["an access to a function's result", 'name', 'take(input).name;'],
  ['an argument of another type', 'name', 'const f = (value: { name: string }) => value.name; f(input);'],
  ['a copy as an argument', 'name', 'const f = (value: { name: string }) => value.name; f({ ...input });'],
  ['a variable of another type', 'name', 'const mine: { name: string } = input; mine.name;'],
  ['a result of another type', 'name', 'const f = (): { name: string } => input; f().name;'],
  ['a callback of another type', 'note', 'input.items.map((item: { note: string }) => item.note);'],
  ['a named callback of another type', 'note', 'const f = (item: { note: string }) => item.note; input.items.map(f);'],
  ['a placeholder', 'name', 'run<{ name: string }>((p) => p.name.sql, input);'],
];
const unread: typeof read = [
  ['no access', 'name', 'input;'],
  ['an access to another property', 'name', 'input.count;'],
  ['the same name in another type', 'name', 'other.name;'],
  ['the same name in another object', 'note', 'other.note;'],
  ['an assignment', 'name', "input.name = '';"],
  ['a copy', 'name', 'const copy = { ...input };'],
  ['a rest object', 'name', 'const { count, ...rest } = input; rest;'],
  [
    'an argument that is not read',
    'name',
    'const f = (value: { name: string; count: number }) => value.count; f(input);',
  ],
  ['an argument whose type lacks it', 'name', 'const f = (value: { count: number }) => other.name; f(input);'],
  ['another placeholder', 'name', 'run<{ name: string; count: number }>((p) => p.count.sql, { ...input });'],
  ['a type', 'name', "let name: Input['name'];"],
];

test.each(read)('%s reads a property', (_title, property, code) => {
  expect(isRead(property, code)).toBe(true);
});

test.each(unread)('%s does not read the property', (_title, property, code) => {
  expect(isRead(property, code)).toBe(false);
});

/** Reports whether code reads a property of Input or of an object in it. */
function isRead(name: string, code: string): boolean {
  const path = join(root, 'sample.ts');
  const program = programOf([path], join(root, 'tsconfig.json'), { [path]: `${TYPES}{ ${code} } export {};` });
  const reads = new PropertyReads(program, (file) => file === path);
  const declared: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && node.name.getText() === name)
      declared.push(program.getTypeChecker().getSymbolAtLocation(node.name)!);
    ts.forEachChild(node, visit);
  };
  const [input] = program.getSourceFile(path)!.statements;
  visit(input!);
  return declared.some((property) => reads.has(property));
}
