import { registeredStatements, statement } from '../../src/db/statement.ts';

describe('statement', () => {
  test('compiles once to text with numbered places, and binds the values in their order', () => {
    const found = statement<{ b: number; a: string }, object>('test_order', (sql, param) =>
      sql('things')
        .select('id')
        .where('a', param('a'))
        .where({ company_id: param('companyId'), b: param('b') }),
    );
    expect(found.name).toBe('test_order');
    expect(found.text).toBe('select "id" from "things" where "a" = $1 and "company_id" = $2 and "b" = $3');
    expect(found.values('the company', { b: 2, a: 'one' })).toEqual(['one', 'the company', 2]);
  });

  test('a parameter may stand in several places', () => {
    const found = statement<{ a: string }, object>('test_twice', (sql, param) =>
      sql.raw('select ?::text, ?::uuid, ?::text', [param('a'), param('companyId'), param('a')]),
    );
    expect(found.text).toBe('select $1::text, $2::uuid, $3::text');
    expect(found.values('c', { a: 'x' })).toEqual(['x', 'c', 'x']);
  });

  test('constants of the query are bound where they stand', () => {
    const found = statement<{ a: string }, object>('test_constants', (sql, param) =>
      sql('things').where('kind', 'fixed').where('a', param('a')).limit(5),
    );
    expect(found.values('c', { a: 'x' })).toEqual(['fixed', 'x', 5]);
  });

  test('the company is that of the handle, whatever the parameters say', () => {
    const found = statement<{ a: string }, object>('test_company', (sql, param) =>
      sql('things').where('company_id', param('companyId')).where('a', param('a')),
    );
    const forged = { a: 'x', companyId: 'another company' };
    expect(found.values('the company', forged)).toEqual(['the company', 'x']);
  });

  test('null, false, 0 and lists are values, and a parameter that is left out is undefined', () => {
    type Params = { a: unknown; b: unknown; c: unknown; d: unknown; e?: unknown };
    const found = statement<Params, object>('test_values', (sql, param) =>
      sql.raw('select ?, ?, ?, ?, ?', [param('a'), param('b'), param('c'), param('d'), param('e')]),
    );
    expect(found.values('c', { a: null, b: false, c: 0, d: ['x', 'y'] })).toEqual([
      null,
      false,
      0,
      ['x', 'y'],
      undefined,
    ]);
  });

  test('a text never gets a value into it', () => {
    const found = statement<{ a: string }, object>('test_injection', (sql, param) =>
      sql('things').where('a', param('a')),
    );
    const values = found.values('c', { a: "'; drop table things; --" });
    expect(found.text).toBe('select * from "things" where "a" = $1');
    expect(values).toEqual(["'; drop table things; --"]);
  });

  test('a name can be used once', () => {
    const make = () => statement('test_once', (sql) => sql.raw('select 1'));
    const made = make();
    expect(registeredStatements()).toContain(made);
    expect(make).toThrow('test_once');
    expect(registeredStatements().filter(({ name }) => name === 'test_once')).toHaveLength(1);
  });

  test('a name of 57 characters is the longest: Postgres would cut it with what tells its pages and count apart', () => {
    const make = (length: number) => statement('n'.repeat(length), (sql) => sql.raw('select 1'));
    expect(() => make(58)).toThrow('too long');
    expect(make(57).name).toHaveLength(57);
  });
});
