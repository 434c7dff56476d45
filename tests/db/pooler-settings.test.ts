import { readFileSync } from 'node:fs';
import { PGBOUNCER_INI } from '../support/pgbouncer.ts';
import { allStatements } from './samples.ts';

/** Those that are not made by `query` and the like: keys, tokens, what sets the company. */
const OTHERS = 30;

test('the pooler of deploy/ keeps every statement prepared, with those of its pages and its counts', () => {
  const kept = Number(/^max_prepared_statements = (\d+)$/m.exec(readFileSync(PGBOUNCER_INI, 'utf8'))![1]);
  const forms = ({ isMutation, ...statement }: ReturnType<typeof allStatements>[number]) =>
    isMutation ? ['alone'] : ['alone', 'page', 'count', ...('ordered' in statement ? ['first', 'after'] : [])];
  const names = allStatements().flatMap(forms);
  expect(names.length).toBeGreaterThan(100);
  expect(kept).toBeGreaterThan(names.length + OTHERS);
});
