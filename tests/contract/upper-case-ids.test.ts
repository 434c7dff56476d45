/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { operations } from '../../src/contract/contract.ts';
import { call, patch, post } from '../support/client.ts';
import { exampleBody, isUpload, keyedOperations } from '../support/contract-requests.ts';
import { filledPath, firstIdsOf } from '../support/world-ids.ts';
import { companies, groupId, type KeyName, learnerId } from '../support/world.ts';

const keyFor = (operationId: (typeof keyedOperations)[number]): KeyName =>
  operations[operationId].accountKinds ? 'msp' : 'tenant';

const withPathId = keyedOperations.filter((operationId) => operations[operationId].pathIds.length > 0);
const reads = withPathId.filter((operationId) => operations[operationId].cluster === 'read');
const isDeletion = (operationId: (typeof keyedOperations)[number]) =>
  operations[operationId].method === 'delete' || /^(delete|end|revoke)/.test(operationId);
const OF_PARTS = /\/sessions$/;
// Deletions come last, so that the other operations find their resources. Changes to a part come first, because a
// change to the whole can remove its parts.
const rankOf = (operationId: (typeof keyedOperations)[number]) => {
  const { path, pathIds } = operations[operationId];
  return pathIds.length > 1 ? 0 : 1 + Number(isDeletion(operationId) && !OF_PARTS.test(path));
};
const changes = withPathId
  .filter((operationId) => operations[operationId].cluster !== 'read' && !isUpload(operationId))
  .toSorted((a, b) => rankOf(a) - rankOf(b));

const inCapitals = (ids: Record<string, string>) =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id.toUpperCase()]));

test.each(reads)('%s returns the same for an upper-case id', async (operationId) => {
  const { path, pathIds } = operations[operationId];
  const ids = firstIdsOf(keyFor(operationId) === 'msp' ? 'msp' : 'tenant', pathIds);
  const small = await call(keyFor(operationId), 'GET', filledPath(path, ids));
  const capital = await call(keyFor(operationId), 'GET', filledPath(path, inCapitals(ids)));
  expect(capital.status).toBe(small.status);
  expect(capital.body).toEqual(small.body);
});

test.each(changes)('%s finds the resource of an upper-case id', async (operationId) => {
  const { method, path, pathIds } = operations[operationId];
  const ids = inCapitals(firstIdsOf(keyFor(operationId) === 'msp' ? 'msp' : 'tenant', pathIds));
  const answer = await call(keyFor(operationId), method.toUpperCase(), filledPath(path, ids), {
    body: exampleBody(operationId),
  });
  const thing = pathIds
    .at(-1)!
    .slice(0, -'Id'.length)
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  // An id in the example body might be missing in the test world, but the one in the path exists.
  expect(answer.body?.error?.message?.toLowerCase()).not.toBe(`${thing} not found.`);
});

test('upper-case ids in queries, lists and keys are accepted and returned in lower case', async () => {
  const [one, two, group] = [learnerId('other', 1), learnerId('other', 2), groupId('other', 2)];
  const child = await call('msp', 'GET', `/learners?companyId=${companies.childA.toUpperCase()}`);
  expect(child.status).toBe(200);
  const learnerIds = [one, two].map((id) => id.toUpperCase());
  const added = await post(`/groups/${group.toUpperCase()}/learners/add`, { learnerIds }, 'other');
  expect(added.status).toBe(200);
  expect(JSON.stringify(added.body)).not.toMatch(/[0-9A-F]{8}-[0-9A-F]{4}-7/);
  expect(JSON.stringify(added.body)).toContain(group);
  const twice = await post(`/groups/${group}/learners/add`, { learnerIds: [one, one.toUpperCase()] }, 'other');
  expect(twice.status).toBe(400);
  const items = [{ learner: { id: one.toUpperCase() }, groupIds: [group.toUpperCase()] }];
  expect((await patch('/learners/bulk', { learners: items }, 'other')).body.data).toMatchObject({
    success: true,
    updated: [{ index: 0, learnerId: one }],
  });
});
