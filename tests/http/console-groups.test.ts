/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin, hiddenOf } from '../support/admin.ts';
import { fingerprintOf, get, patch, post } from '../support/client.ts';
import { groupId, learnerId } from '../support/world.ts';
import { textOf } from './setup-page.ts';

const PATH = '/console/groups';
const read = async (id: string) => (await get(`/groups/${id}`)).body.data;

let admin: Admin;
beforeEach(async () => {
  admin = await Admin.of('tenant');
});

async function makeGroup(name: string): Promise<string> {
  return (await post('/groups', { name })).body.data.id as string;
}

test('lists groups with their members and managers', async () => {
  const page = await admin.get(PATH);
  const { body } = await get('/groups');
  for (const { name } of body.data as { name: string }[]) expect(textOf(page)).toContain(name);
});

test('creates a group once, even if the form is sent twice', async () => {
  const hidden = hiddenOf((await admin.get(PATH)).html);
  const send = () => admin.send(PATH, { ...hidden, name: '<i>Riggers</i>' });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status]).toEqual([303, 303]);
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
  const page = await admin.get(first.headers.get('location')!);
  expect(textOf(page)).toContain('The group has been created.');
  expect(page.html).not.toContain('<i>Riggers');
});

test('a missing name, or the name of another group, is reported at the field', async () => {
  await makeGroup('Fitters');
  const before = await fingerprintOf('tenant');
  const taken = await admin.post(PATH, { name: 'fitters' });
  expect([taken.status, textOf(taken)]).toEqual([400, expect.stringContaining('Another group has this name.')]);
  expect(taken.html).toContain('value="fitters"');
  expect((await admin.post(PATH, { name: ' ' })).html).toContain('id="name-fault"');
  expect(await fingerprintOf('tenant')).toBe(before);
});

test('changes the name and the managers together', async () => {
  const id = await makeGroup('Welders');
  const addressOf = async (number: 1 | 2) => (await get(`/learners/${learnerId('tenant', number)}`)).body.data.email;
  const [one, two] = [await addressOf(1), await addressOf(2)] as [string, string];
  const saved = await admin.post(`${PATH}/${id}`, { name: 'Smiths', managers: `${one.toUpperCase()}\r\n ${two}\r\n` });
  expect(saved.headers.get('location')).toBe(`${PATH}/${id}?notice=saved`);
  const { name, managers } = await read(id);
  expect([name, managers.map(({ email }: { email: string }) => email).toSorted()]).toEqual(['Smiths', [one, two]]);
  const page = await admin.get(`${PATH}/${id}`);
  expect(page.html).toContain(one);
  await admin.post(`${PATH}/${id}`, { name: 'Smiths', managers: '' });
  expect((await read(id)).managers).toEqual([]);
});

test('an unknown address is named, and nothing is saved', async () => {
  const id = await makeGroup('Masons');
  const page = await admin.post(`${PATH}/${id}`, { name: 'Bricklayers', managers: 'nobody@tenant.test' });
  expect([page.status, textOf(page)]).toEqual([400, expect.stringContaining('this address: nobody@tenant.test')]);
  expect(page.html).toContain('value="Bricklayers"');
  expect(await read(id)).toMatchObject({ name: 'Masons' });
});

test('an outdated form says that somebody has changed the group, and changes nothing', async () => {
  const id = await makeGroup('Turners');
  const hidden = hiddenOf((await admin.get(`${PATH}/${id}`)).html);
  const question = hiddenOf((await admin.get(`${PATH}/${id}/delete`)).html);
  await patch(`/groups/${id}`, { name: 'Turners and millers' });
  for (const [path, fields] of [
    ['', { ...hidden, name: 'Millers', managers: '' }],
    ['/delete', question],
  ] as const) {
    const page = await admin.send(`${PATH}/${id}${path}`, fields);
    expect(page.headers.get('location')).toBe(`${PATH}/${id}?notice=conflict`);
  }
  expect(textOf(await admin.get(`${PATH}/${id}?notice=conflict`))).toContain('Somebody has changed this group');
  expect(await read(id)).toMatchObject({ name: 'Turners and millers' });
});

test('deletes a group after a confirmation, and shows no group of another company', async () => {
  const id = await makeGroup('Coopers');
  const gone = await admin.post(`${PATH}/${id}/delete`);
  expect(gone.headers.get('location')).toBe(`${PATH}?notice=deleted`);
  expect((await get(`/groups/${id}`)).status).toBe(404);
  for (const path of ['', '/delete']) {
    expect((await admin.get(`${PATH}/${groupId('other', 1)}${path}`)).status).toBe(404);
    expect((await admin.get(`${PATH}/${id}${path}`)).status).toBe(404);
  }
});
