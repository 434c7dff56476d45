/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { call, send } from '../../support/client.ts';
import { keys } from '../../support/world.ts';
const row = (email: string, fields: object = {}) => ({ email, firstName: 'Ada', lastName: 'Lovelace', ...fields });
const rows = (count: number, prefix = 'bulk') => Array.from({ length: count }, (_, n) => row(`${prefix}${n}@new.test`));
test('starve', async () => {
  const t0 = performance.now();
  const large = Array.from({ length: 12 }, (_, n) => call('tenant', 'POST', '/learners/bulk', { body: { learners: rows(10000, `l${n}.`) }, alone: false }).then(a => `${a.status} ${Math.round(performance.now()-t0)}`));
  const others = Array.from({ length: 30 }, async (_, n) => {
    await new Promise((r) => setTimeout(r, 300 + 200 * n));
    const t = performance.now();
    const a = await call('other', 'GET', '/company');
    return `${a.status} ${Math.round(performance.now() - t)}`;
  });
  console.log(await Promise.all(large), await Promise.all(others));
});
test('deep', async () => {
  const body = '{"email":"\\u0041","x":' + '['.repeat(100000) + ']'.repeat(100000) + '}';
  const a = await send('POST', '/learners', { body, headers: { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' } }).catch((e) => e);
  console.log(a.status, a.text ?? a);
});
test('wide', async () => {
  for (const n of [100000, 1000000, 3400000]) {
  const body = '{"learners":[' + '{},'.repeat(n) + '{}]}';
  const t = performance.now();
  const a = await send('POST', '/learners/bulk', { body, headers: { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' } }).catch((e) => e);
  console.log(n, body.length, a.status, (a.text ?? String(a)).slice(0, 300), performance.now() - t, process.memoryUsage().rss / 1e6);
  }
}, 120000);
