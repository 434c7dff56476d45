import { expectError, get, post } from '../../support/client.ts';
import { companies, groupId, learnerId, unknownId } from '../../support/world.ts';

const pathOf = (id: string) => `/groups/${id}/membership-history`;

test('lists periods by learner and first day, whole and in pages, for the MSP as well', async () => {
  const group = groupId('childA', 1);
  const periods = [
    { from: '2020-05-01', to: '2020-06-30' },
    { from: '2018-01-01', to: '2018-12-31' },
  ];
  const memberships = [2, 1].map((n) => ({ learnerId: learnerId('childA', n as 1 | 2), periods }));
  await post(pathOf(group), { memberships }, 'childA');
  const { body } = await get(pathOf(group), 'childA');
  const ordered = [1, 2].flatMap((n) =>
    periods
      .toReversed()
      .map((period) => ({ learnerId: learnerId('childA', n as 1 | 2), ...period, recordedAt: expect.any(String) })),
  );
  expect(body.data).toEqual(ordered);
  const ofMsp = await get(`${pathOf(group)}?companyId=${companies.childA}&limit=3`, 'msp');
  expect(ofMsp.body.data).toEqual(body.data.slice(0, 3));
  expect(ofMsp.headers.get('link')).toContain('rel="next"');
});

test('returns 404 for a group that the company does not have', async () => {
  for (const id of [unknownId, groupId('other', 1)]) expectError(await get(pathOf(id)), 404, 'not_found');
});
