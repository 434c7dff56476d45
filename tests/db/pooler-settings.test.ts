import { readFileSync } from 'node:fs';
import { PGBOUNCER_INI } from '../support/pgbouncer.ts';
import { allStatements } from './samples.ts';

/** Number of statements not built by `query` and similar functions: keys, tokens, and setting the company. */
const OTHERS = 30;

test('the pooler of deploy/ can keep every statement prepared, including pages and counts', () => {
  const kept = Number(/^max_prepared_statements = (\d+)$/m.exec(readFileSync(PGBOUNCER_INI, 'utf8'))![1]);
  const forms = ({ isMutation, ...statement }: ReturnType<typeof allStatements>[number]) =>
    isMutation ? ['alone'] : ['alone', 'page', 'count', ...('ordered' in statement ? ['first', 'after'] : [])];
  const names = allStatements().flatMap(forms);
  expect(names.length).toBeGreaterThan(100);
  expect(kept).toBeGreaterThan(names.length + OTHERS);
});
