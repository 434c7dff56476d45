import { del, post, put } from '../../support/client.ts';
import { ask, expectScimError, GROUP, makeUser } from './directory-support.ts';

async function makeGroup(displayName: string, memberIds: string[]): Promise<string> {
  const members = memberIds.map((value) => ({ value }));
  const { body } = await ask('POST', '/Groups', { body: { schemas: [GROUP], displayName, members } });
  return body.id as string;
}

const versionOf = async (id: string) => (await ask('GET', `/Groups/${id}`)).headers.get('etag')!;

test('every change to the members by a directory or the API changes the version of a group', async () => {
  const [one, two, three] = [await makeUser('v1'), await makeUser('v2'), await makeUser('v3')];
  const id = await makeGroup('Versions', [one, two]);
  const versions = [await versionOf(id)];
  await ask('DELETE', `/Users/${one}`);
  versions.push(await versionOf(id));
  await del(`/learners/${two}`);
  versions.push(await versionOf(id));
  await put(`/learners/${three}/groups`, { groupIds: [id] });
  versions.push(await versionOf(id));
  await post(`/groups/${id}/learners/remove`, { learnerIds: [three] });
  versions.push(await versionOf(id));
  expect(new Set(versions).size).toBe(versions.length);
});

test('a PUT with an outdated version returns 412 instead of removing new members', async () => {
  const member = await makeUser('unseen');
  const id = await makeGroup('Unseen', []);
  const version = await versionOf(id);
  await put(`/learners/${member}/groups`, { groupIds: [id] });
  const body = { schemas: [GROUP], displayName: 'Unseen', members: [] };
  expectScimError(await ask('PUT', `/Groups/${id}`, { body, headers: { 'if-match': version } }), 412);
});
