import pg from 'pg';
import { parameterTypes } from './describe.ts';
import { nodesIn, readTree, type Tree, type TreeNode } from './node-tree.ts';
import { allStatements } from './samples.ts';
import { Parameter } from '../../src/db/sql.ts';
import { companies } from '../support/world.ts';

// Citus rejects expressions that a node could evaluate differently from the coordinator. It routes a statement to a
// company's node only if the statement compares the company id of every table. `make citus-check` runs every statement
// where Citus is installed. These tests check the rules of Citus without it, against the parse trees of Postgres. A
// fault says what to write instead.

const INSERT = '3';
const UPDATE = '2';
const RELATION = '0';
const FUNCTION = '3';
const CTE = '6';

let owner: pg.Client;
/** The functions that Postgres must not evaluate in advance, and those of them that can differ within a statement. */
let mutable: ReadonlyMap<string, string>;
let volatile: ReadonlySet<string>;
/** The tables distributed by company, by oid, with the number of the column `company_id`. */
let tables: ReadonlyMap<string, { name: string; column: string }>;

beforeAll(async () => {
  owner = new pg.Client(testService.database.ownerUrl);
  await owner.connect();
  const functions = await owner.query<{ oid: string; name: string; isVolatile: boolean }>(
    `select oid::text, proname as name, provolatile = 'v' as "isVolatile" from pg_proc where provolatile <> 'i'`,
  );
  mutable = new Map(functions.rows.map(({ oid, name }) => [oid, name]));
  volatile = new Set(functions.rows.flatMap(({ name, isVolatile }) => (isVolatile ? [name] : [])));
  const spread = await owner.query<{ oid: string; name: string; column: string }>(
    `select c.oid::text, c.relname as name, a.attnum::text as column
       from pg_class c
       join pg_index i on i.indrelid = c.oid and i.indisprimary
       join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] and a.attname = 'company_id'
      where c.relnamespace = 'public'::regnamespace`,
  );
  tables = new Map(spread.rows.map(({ oid, ...table }) => [oid, table]));
});
afterAll(() => owner.end());

const called = ({ fields }: TreeNode) => (fields.get('funcid') ?? fields.get('opfuncid')) as string | undefined;
const mutableIn = (tree: Tree | undefined) =>
  nodesIn(tree).flatMap(
    (node) => mutable.get(called(node) ?? '') ?? (node.name === 'SQLVALUEFUNCTION' ? ['current'] : []),
  );
const has = (tree: Tree | undefined, name: string) => nodesIn(tree).some((node) => node.name === name);
const isGiven = (tree: Tree | undefined) => tree !== undefined && tree !== '<>';

function faultsOf(query: TreeNode): string[] {
  const { fields } = query;
  const kind = fields.get('commandType');
  const returned = fields.get('returningList');
  const faults = mutableIn(returned).map((name) => `${name} in RETURNING: store it in a column, and return that`);
  if (kind === INSERT && has(returned, 'SUBLINK'))
    faults.push('a subquery in RETURNING: read it with a query of its own');
  for (const { fields: conflict } of nodesIn(fields.get('onConflict')).slice(0, 1)) {
    const updated = [conflict.get('onConflictSet')!, conflict.get('onConflictWhere')!];
    faults.push(...mutableIn(updated).map((name) => `${name} in DO UPDATE: insert it, and write excluded.column`));
  }
  if (kind === INSERT && !isGiven(returned) && !isGiven(fields.get('onConflict')) && readsRowsMadeUp(query)) {
    faults.push('insert … select from arrays or CTEs: add “returning” or “on conflict do nothing”');
  }
  if (kind === UPDATE) for (const set of [fields.get('targetList')!].flat()) faults.push(...faultsOfSet(set));
  return faults;
}

/** Reports whether the query inserts rows read from arrays or CTEs. */
function readsRowsMadeUp({ fields }: TreeNode): boolean {
  const kinds = tablesIn(fields).flatMap(({ fields: own }) =>
    nodesIn(own.get('subquery')).map((node) => node.fields.get('rtekind')),
  );
  return kinds.includes(FUNCTION) || kinds.includes(CTE);
}

/** Lists the faults of an expression that a column is set to. */
function faultsOfSet(set: Tree): string[] {
  const choices = nodesIn(set).filter(({ name }) => name === 'CASEEXPR' || name === 'COALESCEEXPR');
  return [
    ...mutableIn(set)
      .filter((name) => volatile.has(name))
      .map((name) => `${name} in UPDATE: write statement_timestamp()`),
    ...choices.flatMap((choice) =>
      mutableIn([...choice.fields.values()]).map(
        (name) => `${name} in CASE or COALESCE: join (select ${name}() as now) as t, and write t.now`,
      ),
    ),
    ...choices
      .filter(({ fields }) => isGiven(fields.get('arg')))
      .map(() => 'CASE with an operand: write case when … = … then …'),
    ...nodesIn(set)
      .filter((node) => mutable.has(called(node) ?? '') && has([...node.fields.values()], 'VAR'))
      .map((node) => `${mutable.get(called(node)!)} of a column: write addInterval of src/db/expressions.ts`),
  ];
}

/** Returns the range table of a query in order of its numbers. */
function tablesIn(fields: TreeNode['fields']): TreeNode[] {
  return [fields.get('rtable') ?? []].flat().filter((entry) => typeof entry === 'object' && 'fields' in entry);
}

/** Returns the nodes of a query without those of its subqueries. */
function ownNodes(tree: Tree | undefined): TreeNode[] {
  if (tree === undefined || typeof tree === 'string') return [];
  if (Array.isArray(tree)) return tree.flatMap(ownNodes);
  if (tree.name === 'QUERY') return [];
  return [tree, ...[...tree.fields.values()].flatMap(ownNodes)];
}

/** Lists the tables of a query whose company id the query does not compare, directly or through a different table. */
function uncompared({ fields }: TreeNode, company: ReadonlySet<string>): string[] {
  const entries = tablesIn(fields);
  const columnOf = (entry: TreeNode) => tables.get(entry.fields.get('relid') as string)?.column;
  const companyColumns = new Set(entries.map((entry, index) => `${index + 1}.${columnOf(entry)}`));
  const equalities = ownNodes(fields.get('jointree'))
    .filter(({ name }) => name === 'OPEXPR')
    .map(({ fields: own }) => sidesOf(own.get('args'), company));
  const compared = new Set(['company']);
  for (let size = 0; size < compared.size;) {
    size = compared.size;
    for (const sides of equalities) {
      if (
        sides.every((side) => side === 'company' || companyColumns.has(side)) &&
        sides.some((side) => compared.has(side))
      )
        sides.forEach((side) => compared.add(side));
    }
  }
  const inserted = fields.get('commandType') === INSERT && entries[Number(fields.get('resultRelation')) - 1];
  return entries.flatMap((entry, index) => {
    const table = tables.get(entry.fields.get('relid') as string);
    if (!table || entry.fields.get('rtekind') !== RELATION || compared.has(`${index + 1}.${table.column}`)) return [];
    // ON CONFLICT lists the table again, as `excluded`.
    if (inserted && inserted.fields.get('relid') === entry.fields.get('relid')) return [];
    return [`${table.name}: compare its company_id with $\{p.companyId}, in the query that names it`];
  });
}

/** Returns the compared operands: `company` for the company parameter, `table number.column number` for columns. */
function sidesOf(args: Tree | undefined, company: ReadonlySet<string>): string[] {
  return nodesIn(args).flatMap(({ name, fields }) => {
    if (name === 'PARAM' && company.has(fields.get('paramid') as string)) return ['company'];
    if (name !== 'VAR') return [];
    const [table, column, up] = ['varno', 'varattno', 'varlevelsup'].map((field) => fields.get(field) as string);
    return [up === '0' ? `${table}.${column}` : `outer ${up}`];
  });
}

async function understood(text: string, types?: string[]): Promise<TreeNode[]> {
  types ??= await parameterTypes(owner, text);
  await owner.query('begin');
  try {
    await owner.query(`create function understood(${types.join()}) returns void begin atomic ${text}; end`);
    const { rows } = await owner.query<{ tree: string }>(
      `select prosqlbody::text as tree from pg_proc where proname = 'understood'`,
    );
    return nodesIn(readTree(rows[0]!.tree)).filter(({ name }) => name === 'QUERY');
  } finally {
    await owner.query('rollback');
  }
}

test.each<[string, RegExp[]]>([
  ['insert into groups (company_id, id, name) values ($1, $2, $3) returning now()', [/^now in RETURNING: store it/]],
  [
    `insert into company_seats (company_id, active) values ($1, 1) on conflict (company_id)
     do update set active = extract(epoch from now())`,
    [/^extract in DO UPDATE: insert it/, /^now in DO UPDATE/],
  ],
  ['update admins set email_changed_at = coalesce(email_changed_at, now())', [/^now in CASE or COALESCE: join/]],
  ['update admins set email_changed_at = clock_timestamp()', [/^clock_timestamp in UPDATE: write statement_timestamp/]],
  [
    'insert into groups (company_id, id, name) select $1, id, $2 from unnest($3::uuid[]) as id',
    [/^insert … select from arrays or CTEs: add/],
  ],
  [
    `update admins set email_changed_at = email_changed_at + interval '1 day'`,
    [/^timestamptz_pl_interval of a column: write addInterval/],
  ],
  [
    `update admins set status = case status when 'invited' then 'active' else status end`,
    [/^CASE with an operand: write case when/],
  ],
  ['update admins set email_changed_at = now()', []],
])('the faults of %s are %j', async (text, faults) => {
  expect((await understood(text)).flatMap(faultsOf)).toEqual(faults.map((fault) => expect.stringMatching(fault)));
});

const changes = allStatements().filter(({ isMutation }) => isMutation);
test.each(changes.map((made) => [made.name, made] as const))(
  '%s contains nothing that Citus rejects',
  async (_, { text }) => {
    expect((await understood(text)).flatMap(faultsOf)).toEqual([]);
  },
);

test.each([
  [
    'select from groups g where g.company_id = $1 and exists (select from learners l where l.company_id = g.company_id)',
    'learners',
  ],
  ['select from groups g left join learners l on l.id = g.id where g.company_id = $1', 'learners'],
  ['update groups set name = name', 'groups'],
  ['select from groups g join learners l on l.company_id = g.company_id where g.company_id = $1', undefined],
])('%s lacks a comparison of: %s', async (text, table) => {
  const faults = (await understood(text)).flatMap((query) => uncompared(query, new Set(['1'])));
  expect(faults).toEqual(table === undefined ? [] : [expect.stringMatching(`^${table}: compare its company_id with`)]);
});

const unfilled = new Proxy({}, { get: (_, name) => new Parameter(name as string) }) as never;

test.each(allStatements().map((made) => [made.name, made] as const))(
  '%s compares each table with the company',
  async (_, { text, values }) => {
    // A function has at most 100 parameters, so parameters with the same value and type become one.
    const types = await parameterTypes(owner, text);
    const keys = values(companies.tenant, unfilled).map((place, index) => {
      return `${types[index]!} ${place instanceof Parameter ? place.name : 'is the company'}`;
    });
    const distinct = [...new Set(keys)];
    const shorter = text.replace(/\$(\d+)/g, (_, n) => `$${distinct.indexOf(keys[Number(n) - 1]!) + 1}`);
    const company = new Set(distinct.flatMap((key, n) => (key.endsWith(' is the company') ? [String(n + 1)] : [])));
    const queries = await understood(
      shorter,
      distinct.map((key) => types[keys.indexOf(key)]!),
    );
    expect(queries.flatMap((query) => uncompared(query, company))).toEqual([]);
  },
);

test('unique indexes of distributed tables include company_id', async () => {
  const indexes = await testService.query(
    `select i.indexrelid::regclass::text as name from pg_index i
      where i.indisunique and i.indrelid = any ($1::oid[])
        and not exists (select from pg_attribute a where a.attrelid = i.indrelid and a.attname = 'company_id'
                                                     and a.attnum = any (i.indkey))`,
    [[...tables.keys()]],
  );
  expect(indexes).toEqual([]);
});

test('functions take no rows of distributed tables, and SQL functions with parameters read none', async () => {
  const functions = await testService.query(
    `select p.oid::regprocedure::text as name from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace = 'public'::regnamespace
        and (exists (select from unnest(p.proargtypes) as type join pg_class c on c.reltype = type
                      where c.oid = any ($1::oid[]))
             or l.lanname = 'sql' and p.pronargs > 0 and p.prosrc ~ $2)`,
    [[...tables.keys()], `\\m(from|join)\\s+(${[...tables.values()].map(({ name }) => name).join('|')})\\M`],
  );
  expect(functions).toEqual([]);
});
