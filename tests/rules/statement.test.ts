import { list, literal, sql } from '../../src/db/sql.ts';
import { mutation, toCountStatement, toPageStatement, registeredStatements, query } from '../../src/db/statement.ts';

describe('a statement', () => {
  test('compiles a builder query once, with its values in order', () => {
    const found = query<{ b: number; a: string }, object>('test_order', (p, knex) =>
      knex('things').select('id').where('a', p.a).where({ company_id: p.companyId, b: p.b }),
    );
    expect(found.name).toBe('test_order');
    expect(found.text).toBe('select "id" from "things" where "a" = $1 and "company_id" = $2 and "b" = $3');
    expect(found.values('the company', { b: 2, a: 'one' })).toEqual(['one', 'the company', 2]);
  });

  test('numbers the parameters of a statement, including repeated ones', () => {
    const found = query<{ a: string }, object>(
      'test_twice',
      (p) => sql`select ${p.a}::text, ${p.companyId}::uuid, ${p.a}::text`,
    );
    expect(found.text).toBe('select $1::text, $2::uuid, $3::text');
    expect(found.parameterCount).toBe(3);
    expect(found.values('c', { a: 'x' })).toEqual(['x', 'c', 'x']);
  });

  test('splices fragments with their parameters in order', () => {
    const found = query<{ a: string; b: string; c: string }, object>('test_splice', (p) => {
      const inner = sql`select ${p.b} as ${list([sql`x`, sql`y`])}`;
      return sql`select ${p.a} from (${inner}) where ${p.c} = ${literal("it's")} limit ${literal(5)}`;
    });
    expect(found.text).toBe(`select $1 from (select $2 as x, y) where $3 = 'it''s' limit 5`);
    expect(found.values('company', { a: '1', b: '2', c: '3' })).toEqual(['1', '2', '3']);
  });

  test('keeps question mark operators, even in spliced fragments', () => {
    const found = query<{ key: string }, object>('test_operator', (p) => {
      const has = sql`tags ? ${p.key} or tags ?| array['a?']`;
      return sql`select from things where ${has} and id ?& ${p.companyId}`;
    });
    expect(found.text).toBe(`select from things where tags ? $1 or tags ?| array['a?'] and id ?& $2`);
  });

  test('binds builder constants in place', () => {
    const found = query<{ a: string }, object>('test_constants', (p, knex) =>
      knex('things').where('kind', 'fixed').where('a', p.a).limit(5),
    );
    expect(found.values('c', { a: 'x' })).toEqual(['fixed', 'x', 5]);
  });

  test('uses the company of the handle even if the parameters contain another', () => {
    const found = query<{ a: string }, object>(
      'test_company',
      (p) => sql`select from things where company_id = ${p.companyId} and a = ${p.a}`,
    );
    const forged = { a: 'x', companyId: 'another company' };
    expect(found.values('the company', forged)).toEqual(['the company', 'x']);
  });

  test('accepts null, false, 0 and lists, and undefined for omitted parameters', () => {
    type Params = { a: unknown; b: unknown; c: unknown; d: unknown; e?: unknown };
    const found = query<Params, object>('test_values', (p) => sql`select ${p.a}, ${p.b}, ${p.c}, ${p.d}, ${p.e}`);
    expect(found.values('c', { a: null, b: false, c: 0, d: ['x', 'y'] })).toEqual([
      null,
      false,
      0,
      ['x', 'y'],
      undefined,
    ]);
  });

  test('never puts a value into its text', () => {
    const found = query<{ a: string }, object>('test_injection', (p) => sql`select from things where a = ${p.a}`);
    const values = found.values('c', { a: "'; drop table things; --" });
    expect(found.text).toBe('select from things where a = $1');
    expect(values).toEqual(["'; drop table things; --"]);
  });

  test('accepts only parameters and fragments as interpolations', () => {
    // @ts-expect-error: a string would become a value without a parameter
    expect(() => query('test_string', () => sql`select ${'id'}`)).not.toThrow();
    // @ts-expect-error: the statement has no such parameter
    expect(() => query<{ a: string }, object>('test_unknown', (p) => sql`select ${p.b}`)).not.toThrow();
  });

  test('must have a unique name', () => {
    const make = () => query('test_once', () => sql`select 1`);
    const made = make();
    expect(registeredStatements()).toContain(made);
    expect(make).toThrow('test_once');
    expect(registeredStatements().filter(({ name }) => name === 'test_once')).toHaveLength(1);
  });

  test('must have a name of at most 53 characters, because Postgres truncates longer ones', () => {
    const make = (length: number) => query('n'.repeat(length), () => sql`select 1`);
    expect(() => make(54)).toThrow('too long');
    expect(make(53).name).toHaveLength(53);
  });

  test('has a page and a count statement, with its own parameters first', () => {
    const found = query<{ a: string }, object>('test_list', (p) => sql`select id from things where a = ${p.a}`);
    const page = toPageStatement(found);
    expect(page.text).toMatch(/\(select id from things where a = \$1\).*offset \$2::integer limit \$3::integer/);
    expect(page.values('c', { params: { a: 'x' }, offset: 10, limit: 5 })).toEqual(['x', 10, 5]);
    expect(toCountStatement(found).values('c', { a: 'x' })).toEqual(['x']);
  });

  test('can be a mutation', () => {
    const found = mutation<{ id: string }>('test_change', (p, knex) => knex('things').where({ id: p.id }).delete());
    expect(found.isMutation).toBe(true);
    expect(registeredStatements()).toContain(found);
  });
});

test('a literal with a backslash is rejected, because its meaning depends on a server setting', () => {
  expect(() => literal('a\\b')).toThrow('backslash');
});
