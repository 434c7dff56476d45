import type { DeprecationNotice } from '../../sdk/src/index.ts';
import { clientOf } from './support.ts';

test('a call that uses something deprecated tells the hook, with dates and where to read on', async () => {
  const notices: DeprecationNotice[] = [];
  const client = clientOf('tenant', { onDeprecation: (notice) => notices.push(notice) });
  await client.listCourses();
  expect(notices).toEqual([]);
  await client.listCourses({ excludeGapAnalysis: true });
  await client.response('listCourses', { excludeGapAnalysis: true });
  const notice = {
    operationId: 'listCourses',
    since: new Date('2026-11-22T00:00:00Z'),
    sunset: new Date('2027-11-22T00:00:00Z'),
    link: '/docs/versioning',
  };
  expect(notices).toEqual([notice, notice]);
});

test('what the hook throws ends no call, and headers in another form are told as far as they are known', async () => {
  const seen: DeprecationNotice[] = [];
  const client = clientOf('tenant', {
    onDeprecation: (notice) => {
      seen.push(notice);
      throw new Error('the hook fails');
    },
    fetch: async () => new Response('{"data": []}', { headers: { deprecation: 'true', sunset: 'soon' } }),
  });
  expect(await client.listGroups()).toEqual([]);
  expect(seen).toEqual([{ operationId: 'listGroups', since: null, sunset: null, link: null }]);
});
