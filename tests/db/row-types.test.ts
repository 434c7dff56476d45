import pg from 'pg';
import { type DeclaredColumn, declaredRows } from './declared-rows.ts';
import { describeStatement } from './describe.ts';
import { allStatements } from './samples.ts';

// A row type is only a claim of its author. These tests compare it with Postgres's description of the columns.
const declared = declaredRows();
const statements = allStatements().map((made) => [made.name, made] as const);

/** Columns that can be null in their table but never are in the rows of this statement. */
const NEVER_NULL = new Set([
  'saml_signing_key_find.certificate',
  'saml_signing_key_find.sealed',
  'simulation_calendar_messages.locale',
  'simulation_calendar_messages.scheduledAt',
  'simulation_calendar_messages.templateId',
  'simulation_calendar_quarters.templateId',
  'simulation_queue_of_learner.scheduled',
  'simulation_results_of_learner.createdAt',
]);

let service: pg.Client;
let nullable: ReadonlyMap<string, boolean>;

beforeAll(async () => {
  service = new pg.Client(testService.database.serviceUrl);
  await service.connect();
  const columns = await testService.query(`
    select attrelid::integer || '/' || attnum as id, not attnotnull as nullable
      from pg_attribute where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`);
  nullable = new Map(columns.map(({ id, nullable: mayBe }) => [id as string, mayBe as boolean]));
});
afterAll(() => service.end());

const { builtins } = pg.types;
const KINDS = new Map<number, DeclaredColumn['kind']>([
  ...[builtins.UUID, builtins.TEXT, builtins.VARCHAR, builtins.DATE, builtins.TIMESTAMPTZ].map(
    (type) => [type, 'string'] as const,
  ),
  ...[builtins.INT2, builtins.INT4, builtins.INT8, builtins.FLOAT4, builtins.FLOAT8, builtins.NUMERIC].map(
    (type) => [type, 'number'] as const,
  ),
  [builtins.BOOL, 'boolean'],
  [builtins.BYTEA, 'Buffer'],
]);
/** Returns the kind of a type; JSON and arrays are objects. */
const kindOfType = (type: number) => KINDS.get(type) ?? 'object';

function disagreement(statement: string, column: pg.FieldDef, said: DeclaredColumn | undefined): string[] {
  const { name, tableID, columnID, dataTypeID } = column;
  if (!said) return [`${name} is no property of the row type`];
  const kind = kindOfType(dataTypeID);
  const wrong = said.kind === kind ? [] : [`${name} is ${kind}, and its type says ${said.kind}`];
  const mayBeNull = nullable.get(`${tableID}/${columnID}`);
  if (mayBeNull && !said.mayBeNull && !NEVER_NULL.has(`${statement}.${name}`))
    wrong.push(`${name} may be null, and its type says it is not`);
  return wrong;
}

test.each(statements)('%s returns the columns of its row type', async (name, statement) => {
  const [, row] = declared.find(([pattern]) => pattern.test(name)) ?? [];
  const { columns } = await describeStatement(service, statement.text);
  // No code reads rows that are declared as `object`.
  if (!row) return;
  const wrong = columns.flatMap((column) => disagreement(name, column, row.get(column.name)));
  const missing = [...row.keys()].filter((property) => !columns.some((column) => column.name === property));
  expect([...wrong, ...missing.map((property) => `${property} is no column`)]).toEqual([]);
});

test('every statement has a row type', () => {
  const unknown = statements.filter(([name]) => !declared.some(([pattern]) => pattern.test(name)));
  expect(unknown.map(([name]) => name)).toEqual([]);
});
