/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { call, fingerprintOf, get, patch, post } from '../support/client.ts';
import { Admin, hiddenOf } from '../support/admin.ts';
import { assignmentId, campaignId } from '../support/world-campaigns.ts';
import { adminId, groupId, managedCourses } from '../support/world.ts';
import { textOf } from './setup-page.ts';

const PATH = '/console/campaigns';
const content = `course:${managedCourses.phishing}`;
const FORM = { name: 'Spring', items: content, audience: 'everyone', due: '14', before: '7, 1', after: '1' };
const read = async (id: string) => (await get(`/campaigns/${id}`)).body.data;

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

let admin: Admin;
beforeEach(async () => {
  admin = await Admin.of('tenant');
});

/** Creates a draft through the form. Returns its path in the console. */
async function plan(fields: Record<string, string> = {}): Promise<string> {
  const page = await admin.post(`${PATH}/new`, { ...FORM, ...fields }, PATH);
  expect({ status: page.status, text: page.status === 303 ? '' : textOf(page) }).toEqual({ status: 303, text: '' });
  return page.headers.get('location')!.replace('/preview', '');
}

describe('/console/campaigns', () => {
  test('lists campaigns with their figures, and filters them', async () => {
    const page = await admin.get(PATH);
    expect(textOf(page)).toMatch(/Basics\s+Paused\s+2 Mar 2026\s+1\s+–\s+0%\s+1/);
    expect(textOf(await admin.get(`${PATH}?campaignStatus=running`))).toContain('No campaign matches these filters.');
    expect(textOf(await admin.get(`${PATH}?nameContains=basi`))).toContain('Basics');
  });

  test('plans a campaign once with five fields, previews it and starts it', async () => {
    const hidden = hiddenOf((await admin.get(`${PATH}/new`)).html);
    const send = () => admin.send(PATH, { ...hidden, ...FORM, name: '<b id=x>' });
    const [first, second] = [await send(), await send()];
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    const preview = await admin.get(first.headers.get('location')!);
    expect(preview.html).not.toContain('<b id=x>');
    expect(textOf(preview)).toMatch(/Messages: \d/);
    const id = /campaigns\/([^/]+)/.exec(first.headers.get('location')!)![1]!;
    expect(await read(id)).toMatchObject({ name: '<b id=x>', status: 'draft', due: { days: 14 } });
    const started = await admin.post(`${PATH}/${id}/preview`, {}, `${PATH}/${id}/start`);
    expect(started.headers.get('location')).toBe(`${PATH}/${id}?notice=started`);
    expect((await read(id)).status).toBe('scheduled');
  });

  test.each([
    ['name', { name: ' ' }],
    ['items', { items: '' }],
    ['due', { due: 'soon' }],
    ['due', { due: '9999' }],
    ['before', { before: '400' }],
    ['audience', { audience: 'group:nobody' }],
    ['audience', { audience: `group:${groupId('other', 1)}` }],
    ['recurrence', { recurrence: 'afterCompletion', months: '0' }],
  ])('an invalid %s is reported at the field, keeps the entries and creates nothing', async (field, fields) => {
    const before = await fingerprintOf('tenant');
    const { status, html } = await admin.post(`${PATH}/new`, { ...FORM, message: 'Kept words', ...fields }, PATH);
    expect([400, 404]).toContain(status);
    expect(html).toContain(`id="${field}-fault"`);
    expect(html).toContain('Kept words');
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('edits a campaign, and keeps an audience that the form cannot show', async () => {
    const path = `${PATH}/${campaignId('tenant')}`;
    const before = await read(campaignId('tenant'));
    const entered = { ...FORM, items: `course:${before.items[0].id}`, audience: 'keep', name: 'Basics again' };
    const { html } = await admin.get(`${path}/edit`);
    expect(html).toContain('value="keep" selected');
    const saved = await admin.post(`${path}/edit`, { ...entered, includeNewcomers: 'yes' });
    expect(saved.headers.get('location')).toBe(`${path}?notice=saved`);
    expect(await read(campaignId('tenant'))).toMatchObject({
      ...{ name: 'Basics again', audience: before.audience, startAt: before.startAt, items: before.items },
    });
    await patch(`/campaigns/${campaignId('tenant')}`, { name: 'Basics' });
  });

  test('an outdated form says so, and replaces the campaign when it is sent again', async () => {
    const path = await plan();
    const id = path.slice(PATH.length + 1);
    const hidden = hiddenOf((await admin.get(`${path}/edit`)).html);
    await patch(`/campaigns/${id}`, { name: 'Changed elsewhere' });
    const refused = await admin.send(`${path}/edit`, { ...hidden, ...FORM, name: 'Mine' });
    expect(refused.status).toBe(412);
    expect(refused.html).toContain('value="Mine"');
    expect((await read(id)).name).toBe('Changed elsewhere');
    await admin.send(`${path}/edit`, { ...hiddenOf(refused.html), ...FORM, name: 'Mine' });
    expect((await read(id)).name).toBe('Mine');
    expect((await admin.post(`${path}/delete`)).status).toBe(303);
    expect((await admin.get(path)).status).toBe(404);
  });

  test('shows what a change to a running campaign does before it is saved', async () => {
    const path = await plan({ name: 'Running <b>' });
    const id = path.slice(PATH.length + 1);
    await testService.query(`update campaigns set status = 'running', started_on = current_date where id = $1`, [id]);
    const edit = await admin.get(`${path}/edit`);
    expect(edit.html).toContain('name="step" value="preview"');
    const fields = { ...hiddenOf(edit.html), ...FORM, moreItems: `course:${managedCourses.passwords}` };
    const preview = await admin.send(`${path}/edit`, { ...fields, name: '"New" <i>', step: 'preview' });
    expect([preview.status, textOf(preview)]).toEqual([200, expect.stringContaining('Nothing is saved yet.')]);
    expect(textOf(preview)).toContain(`POST /v1/campaigns/${id}/preview-change`);
    expect((await read(id)).name).toBe('Running <b>');
    const kept = Object.entries(hiddenOf(preview.html)).map(([name, value]): [string, string] => [
      name,
      value.replaceAll('&quot;', '"').replaceAll('&lt;', '<'),
    ]);
    const again = await admin.send(`${path}/edit`, [...kept, ['step', 'again']]);
    expect(again.html).toContain('value="&quot;New&quot; &lt;i>"');
    const rejected = await admin.send(`${path}/edit`, { ...fields, due: 'soon', step: 'preview' });
    expect([rejected.status, rejected.html.includes('id="due-fault"')]).toEqual([400, true]);
    expect((await admin.send(`${path}/edit`, kept)).headers.get('location')).toBe(`${path}?notice=saved`);
    expect((await read(id)).name).toBe('"New" <i>');
    expect((await read(id)).items).toHaveLength(2);
  });

  test('pauses, resumes and ends a campaign after a confirmation', async () => {
    const path = await plan();
    const id = path.slice(PATH.length + 1);
    await patch(`/campaigns/${id}`, { status: 'active' });
    await testService.query(`update campaigns set status = 'running', started_on = current_date where id = $1`, [id]);
    expect((await admin.get(`${path}/delete`)).status).toBe(404);
    for (const [action, status] of [
      ['pause', 'paused'],
      ['resume', 'running'],
      ['end', 'ended'],
    ] as const) {
      expect((await admin.post(`${path}/${action}`)).status).toBe(303);
      expect((await read(id)).status).toBe(status);
    }
    expect(textOf(await admin.get(path))).toContain('Ended');
  });

  test('rejects a change in a campaign of another company', async () => {
    const fields = hiddenOf((await admin.get(`${PATH}/new`)).html);
    const form = { ...fields, action: 'remind', once: 'once'.repeat(8) };
    expect((await admin.send(`${PATH}/${campaignId('other')}/change`, form)).status).toBe(404);
  });

  test('shows who is late, extends, waives and restores assignments, and reminds learners', async () => {
    const path = `${PATH}/${campaignId('tenant')}`;
    const people = await admin.get(`${path}/people?assignmentStatus=overdue`);
    expect(people.html).toContain(`value="${assignmentId('tenant')}"`);
    const state = async () => (await get(`/assignments/${assignmentId('tenant')}`)).body.data;
    const all = `${path}/change?which=all&assignmentStatus=overdue&action=`;
    const act = (from: string, fields = {}) => admin.post(from, fields, `${path}/change`);
    expect(textOf(await admin.get(`${all}extend`))).toContain('Assignments: 1');
    expect((await act(`${all}extend`, { until: '2020-01-01' })).html).toContain('id="until-fault"');
    const until = inDays(9);
    const extended = await act(`${all}extend`, { until });
    expect(extended.headers.get('location')).toContain('notice=extend&count=1');
    expect(await state()).toMatchObject({ overdue: false, extendedUntil: until });
    const one = `${path}/change?assignmentId=${assignmentId('tenant')}&action=`;
    await act(`${one}extend`, { until: '' });
    expect(await state()).toMatchObject({ overdue: true, extendedUntil: null });
    expect((await act(`${one}waive`, { reason: ' ' })).html).toContain('id="reason-fault"');
    await act(`${one}waive`, { reason: 'On leave' });
    expect(await state()).toMatchObject({ status: 'waived', waived: { reason: 'On leave' } });
    const waived = `${path}/change?which=all&assignmentStatus=waived&action=restore`;
    expect((await act(waived)).headers.get('location')).toContain('notice=restore&count=1');
    await testService.query(`update campaigns set status = 'running' where id = $1`, [campaignId('tenant')]);
    const hidden = hiddenOf((await admin.get(`${all}remind`)).html);
    for (let sent = 0; sent < 2; sent += 1) await admin.send(`${path}/change`, hidden);
    const [row] = await testService.query('select reminded_at from campaign_assignments where id = $1', [
      assignmentId('tenant'),
    ]);
    expect(row!.reminded_at).not.toBeNull();
    await testService.query(`update campaigns set status = 'paused' where id = $1`, [campaignId('tenant')]);
    expect(textOf(await admin.get(`${path}/change?action=waive`))).toContain('Please tick at least one assignment');
  });

  test('an auditor reads campaigns, is offered no changes, and can make none', async () => {
    await testService.query(`update admins set role = 'auditor', status = 'active' where id = $1`, [
      adminId('tenant', 2),
    ]);
    const auditor = await Admin.of('tenant', 2);
    const path = `${PATH}/${campaignId('tenant')}`;
    for (const page of [PATH, path, `${path}/people`, `${path}/preview`]) {
      const { status, html } = await auditor.get(page);
      expect({ page, status }).toEqual({ page, status: 200 });
      expect(html).not.toMatch(/\/new"|\/edit"|\/pause"|id="change"/);
    }
    for (const rest of ['/edit', '/pause', '/end', `/change?action=waive&assignmentId=${assignmentId('tenant')}`]) {
      expect((await auditor.get(path + rest)).status).toBe(403);
    }
    const { form_token: token = '' } = hiddenOf((await auditor.get('/console/passkeys')).html);
    for (const rest of ['/pause', '/end', '/start']) {
      expect((await auditor.send(path + rest, { form_token: token, version: 'x' })).status).toBe(403);
    }
  });

  test('a campaign of another company returns 404', async () => {
    for (const rest of ['', '/edit', '/preview', '/people', '/pause']) {
      expect((await admin.get(`${PATH}/${campaignId('other')}${rest}`)).status).toBe(404);
    }
  });
});

describe('If-Match on campaigns', () => {
  const change = (method: string, path: string, tag: string, body?: object) =>
    call('tenant', method, path, { body, headers: { 'if-match': tag } });

  test('a change with an outdated ETag returns 412, and one with the current ETag succeeds', async () => {
    const campaign = { name: 'Tagged', items: [{ type: 'course', id: managedCourses.phishing }] };
    const full = { ...campaign, externalId: 'tagged', audience: { everyone: true }, due: { days: 5 } };
    const { id } = (await post('/campaigns', full)).body.data;
    const tag = (await get(`/campaigns/${id}`)).headers.get('etag')!;
    expect((await change('PATCH', `/campaigns/${id}`, '"old"', { name: 'New' })).status).toBe(412);
    expect((await change('PUT', '/campaigns', '"old"', full)).status).toBe(412);
    expect((await change('PATCH', `/campaigns/${id}`, tag, { name: 'New' })).status).toBe(200);
    expect((await change('PUT', '/campaigns', tag, full)).status).toBe(412);
    expect((await change('DELETE', `/campaigns/${id}`, '*')).status).toBe(200);
  });
});
