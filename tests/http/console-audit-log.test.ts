/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../support/admin.ts';
import { del, post } from '../support/client.ts';
import { adminId } from '../support/world.ts';
import { textOf } from './setup-page.ts';

const PATH = '/console/audit-log';
let admin: Admin;
beforeAll(async () => {
  admin = await Admin.of('tenant');
  for (let number = 0; number < 60; number += 1) {
    const { body } = await post('/groups', { name: `Audited ${number}` });
    await del(`/groups/${body.data.id}`);
  }
});
const operationsOn = (html: string) => [...html.matchAll(/<code>(\w+)<\/code><\/a><\/td>/g)].map(([, name]) => name);

test('the page shows fifty entries, newest first, and links to the next page with the same filters', async () => {
  const { html } = await admin.get(`${PATH}?operation=createGroup&outcome=done`);
  expect(operationsOn(html)).toEqual(Array.from({ length: 50 }, () => 'createGroup'));
  const next = /<a href="([^"]+)" rel="next">/.exec(html)![1]!.replaceAll('&amp;', '&');
  expect(next).toContain('operation=createGroup&outcome=done&cursor=');
  const second = await admin.get(next);
  expect(operationsOn(second.html)).toHaveLength(10);
  expect(second.html).not.toContain('rel="next"');
  expect(second.html).toContain(`href="${PATH}?operation=createGroup&amp;outcome=done">First page`);
});

test('entries can be filtered by day and by actor, and name the actor', async () => {
  const today = new Date().toISOString().slice(0, 10);
  expect(operationsOn((await admin.get(`${PATH}?since=${today}&until=${today}`)).html)).toHaveLength(50);
  expect(textOf(await admin.get(`${PATH}?until=2020-01-01`))).toContain('No entry matches');
  const own = await admin.get(`${PATH}?actorId=${adminId('tenant', 1)}`);
  expect(textOf(own)).toMatch(/Mary tenant\s+\(admin\)/);
  expect(own.html).not.toContain('createGroup');
});

test.each(['since=yesterday', 'until=2026-02-31', 'operation=a%20b', 'actorId=%F0%9F%98%80', 'operation=%00'])(
  'a filter that nothing can match shows no entry: %s',
  async (query) => {
    const page = await admin.get(`${PATH}?${query}`);
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain('No entry matches');
  },
);

test('a cursor of another list is rejected, and filters that are sent twice are ignored', async () => {
  expect((await admin.get(`${PATH}?cursor=bm90aGluZw`)).status).toBe(400);
  expect(operationsOn((await admin.get(`${PATH}?operation=a&operation=b`)).html)).toHaveLength(50);
});
