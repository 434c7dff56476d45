import { judgeResponse, waitAfter } from '../../src/resources/webhooks/sending/retry-rules.ts';

test('retries follow Standard Webhooks and end after about three days', () => {
  const waits = Array.from({ length: 9 }, (_, index) => waitAfter(index + 1, 0.5)!);
  expect(waits.slice(0, 4)).toEqual([5, 300, 1800, 7200]);
  expect(waits.reduce((sum, wait) => sum + wait) / 3600).toBeCloseTo(75.6, 1);
  expect(waitAfter(10)).toBeUndefined();
});

test('the wait varies by a fifth', () => {
  expect([waitAfter(2, 0), waitAfter(2, 1)]).toEqual([240, 360]);
});

const judge = (status: number | null, retryAfter?: string) =>
  judgeResponse({ status, retryAfter }, Date.parse('2026-03-02T08:00:00Z'));

test.each([200, 201, 204, 299])('%s acknowledges an event', (status) => expect(judge(status).accepted).toBe(true));
test.each([null, 100, 301, 307, 400, 404, 410, 429, 500])('%s does not acknowledge an event', (status) =>
  expect(judge(status).accepted).toBe(false),
);
test('only 410 makes an endpoint count as gone', () => {
  expect([404, 410, 500].filter((status) => judge(status).isGone)).toEqual([410]);
});

test.each([
  [429, '120', 120],
  [503, 'Mon, 02 Mar 2026 08:01:00 GMT', 60],
  [503, 'Mon, 02 Mar 2026 07:00:00 GMT', 1],
  [429, '999999999', 86_400],
  [429, 'soon', undefined],
  [429, undefined, undefined],
  [500, '120', undefined],
])('%s with Retry-After %s pauses for %s seconds', (status, retryAfter, seconds) => {
  expect(judge(status, retryAfter).pauseS).toBe(seconds);
});
