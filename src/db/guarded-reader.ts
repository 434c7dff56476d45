// Guards: conditions that Postgres checks in each statement of a call.
//
// A guarded reader adds the condition that a guard statement finds a row to every statement that it runs. Postgres
// evaluates the guard once per statement, in the statement's own snapshot. So no row leaves the database if the guard
// does not hold at that moment, even if it held at the beginning of the call. Repositories know nothing of guards.
//
// If the guard does not hold, even an aggregate returns no row, so `queryOne` returns undefined. Callers therefore
// check the guard itself before they run a handler.
import { orderBy } from './keyset.ts';
import type { Compiled, Statement } from './statement.ts';
import type { TenantReader } from './tenant.ts';

/** Returns a reader whose statements return rows only while `guard` finds a row with `params`. */
export function guardReader<G>(reader: TenantReader, guard: Statement<G, unknown>, params: G): TenantReader {
  const guarded = <P, R>(statement: Statement<P, R>) => guardStatement(statement, guard, params);
  return {
    companyId: reader.companyId,
    queryOne: (statement, values) => reader.queryOne(guarded(statement), values),
    queryAll: (statement, values) => reader.queryAll(guarded(statement), values),
    stream: (statement, values, batchSize) => reader.stream(guarded(statement), values, batchSize),
  };
}

/** Derives the statement that returns rows only while the guard finds a row. */
export function guardStatement<P, R, G>(
  statement: Statement<P, R>,
  guard: Statement<G, unknown>,
  params: G,
): Statement<P, R> {
  const { isPointQuery, isAggregate = false, ordered } = statement;
  const kind = { isMutation: false, isPointQuery, ...(isAggregate && { isAggregate }) } as const;
  const own = toGuarded(statement, guard, params);
  if (!ordered) return { ...own, ...kind };
  const { order } = ordered;
  return {
    ...own,
    ...kind,
    text: `${own.text} order by ${orderBy(order)}`,
    ordered: {
      order,
      whole: toGuarded(ordered.whole, guard, params),
      continued: toGuarded(ordered.continued, guard, params),
    },
  };
}

function toGuarded<P, R, G>(
  { name, text, parameterCount, samples, values }: Compiled<P, R>,
  guard: Statement<G, unknown>,
  params: G,
): Compiled<P, R> {
  const condition = guard.text.replace(/\$(\d+)/g, (_, number: string) => `$${parameterCount + Number(number)}`);
  return {
    name: `${name}/own`,
    text: `select * from (${text}) as guarded where exists (${condition})`,
    parameterCount: parameterCount + guard.parameterCount,
    samples,
    values: (companyId, given) => [...values(companyId, given), ...guard.values(companyId, params)],
  };
}
