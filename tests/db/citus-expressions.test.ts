import pg from 'pg';
import { parameterTypes } from './describe.ts';
import { nodesIn, readTree, type Tree, type TreeNode } from './node-tree.ts';
import { allStatements } from './samples.ts';

// Citus refuses what a node could evaluate otherwise than the coordinator. `make citus-check` runs every statement, where
// Citus is installed; here its rules are held everywhere, against how Postgres has understood the statement.

const INSERT = '3';
const UPDATE = '2';

let owner: pg.Client;
/** The functions that Postgres may not evaluate ahead. */
let mutable: ReadonlyMap<string, string>;

beforeAll(async () => {
  owner = new pg.Client(testService.database.ownerUrl);
  await owner.connect();
  const rows = await testService.query(`select oid::text, proname from pg_proc where provolatile <> 'i'`);
  mutable = new Map(rows.map(({ oid, proname }) => [oid as string, proname as string]));
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
  const faults = mutableIn(returned).map((name) => `${name} in RETURNING`);
  if (kind === INSERT && has(returned, 'SUBLINK')) faults.push('a subquery in RETURNING');
  for (const { fields: conflict } of nodesIn(fields.get('onConflict')).slice(0, 1)) {
    const updated = [conflict.get('onConflictSet')!, conflict.get('onConflictWhere')!];
    faults.push(...mutableIn(updated).map((name) => `${name} in DO UPDATE`));
  }
  if (kind === UPDATE) for (const set of [fields.get('targetList')!].flat()) faults.push(...faultsOfSet(set));
  return faults;
}

/** An expression that a column is set to. */
function faultsOfSet(set: Tree): string[] {
  const choices = nodesIn(set).filter(({ name }) => name === 'CASEEXPR' || name === 'COALESCEEXPR');
  return [
    ...choices.flatMap((choice) => mutableIn([...choice.fields.values()]).map((name) => `${name} in CASE or COALESCE`)),
    ...choices.filter(({ fields }) => isGiven(fields.get('arg'))).map(() => 'CASE with an operand'),
    ...nodesIn(set)
      .filter((node) => mutable.has(called(node) ?? '') && has([...node.fields.values()], 'VAR'))
      .map((node) => `${mutable.get(called(node)!)} of a column`),
  ];
}

async function understood(text: string): Promise<TreeNode[]> {
  const types = await parameterTypes(owner, text);
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

test.each([
  ['insert into groups (company_id, id, name) values ($1, $2, $3) returning now()', ['now in RETURNING']],
  [
    `insert into company_seats (company_id, active) values ($1, 1) on conflict (company_id)
     do update set active = extract(epoch from now())`,
    ['extract in DO UPDATE', 'now in DO UPDATE'],
  ],
  ['update admins set address_since = coalesce(address_since, now())', ['now in CASE or COALESCE']],
  [`update admins set address_since = address_since + interval '1 day'`, ['timestamptz_pl_interval of a column']],
  [`update admins set status = case status when 'invited' then 'active' else status end`, ['CASE with an operand']],
  ['update admins set address_since = now()', []],
])('%s: %j', async (text, faults) => {
  expect((await understood(text)).flatMap(faultsOf)).toEqual(faults);
});

const changes = allStatements().filter(({ isMutation }) => isMutation);
test.each(changes.map((made) => [made.name, made] as const))(
  '%s says nothing that Citus refuses',
  async (_, { text }) => {
    expect((await understood(text)).flatMap(faultsOf)).toEqual([]);
  },
);
