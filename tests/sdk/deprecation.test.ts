import type { DeprecationNotice } from '../../sdk/src/index.ts';
import { clientOf } from './support.ts';

test('a call with a deprecated parameter calls the hook with the dates and a link', async () => {
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

test('an error in the hook fails no call, and unreadable headers become null', async () => {
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
