import { send } from '../../support/client.ts';
import { keys } from '../../support/world.ts';
const go = async (label: string, path: string, body: string) => {
  const t = performance.now();
  const a: any = await send('POST', path, { body, headers: { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' } }).catch((e) => e);
  console.log(label, body.length, a.status, (a.text ?? String(a)).slice(0, 200), Math.round(performance.now() - t), process.memoryUsage().rss / 1e6);
};
test('wide ids', async () => {
  for (const n of [10_000, 100_000, 1_000_000]) await go(`ids ${n}`, '/learners/activate', `{"learnerIds":[${'1,'.repeat(n)}1]}`);
}, 120000);
test('wide rows', async () => {
  for (const n of [10_000, 20_000]) await go(`rows ${n}`, '/learners/bulk', `{"learners":[${'{},'.repeat(n)}{}]}`);
}, 120000);
test('unknown fields', async () => {
  for (const n of [10_000, 100_000]) await go(`fields ${n}`, '/learners', `{${Array.from({ length: n }, (_, i) => `"f${i}":1`).join(',')}}`);
}, 120000);
test('distinct ids over', async () => {
  for (const n of [10_000, 200_000]) await go(`dist ${n}`, '/learners/activate', JSON.stringify({ learnerIds: Array.from({ length: n }, (_, i) => `0192ffff-0000-7000-8000-${i.toString(16).padStart(12, '0')}`) }));
}, 120000);
