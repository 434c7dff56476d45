/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { get, put } from '../../support/client.ts';
import { restoreAdminsAfterEach } from '../admins/admin-state.ts';
import { ask, GROUP, makeUser, newUser, patch } from './directory-support.ts';

restoreAdminsAfterEach();

const ROLES = ['administrator', 'author', 'analyst'];
const NAMES = ['anna', 'bela', 'cleo', 'dora'];

interface User {
  id: string;
  name: string;
  email: string;
  state: 'active' | 'inactive' | 'deleted';
}

interface Group {
  id: string;
  role: string;
  members: Set<User>;
}

/** Returns pseudo-random integers below a bound, the same for the same seed (mulberry32). */
function createRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

const values = (...users: User[]) => users.map(({ id: value }) => ({ value }));

/** Makes one random change to the directory, and the same change to the model. */
async function change(random: (bound: number) => number, users: User[], groups: Group[]): Promise<void> {
  const user = users[random(users.length)]!;
  const group = groups[random(groups.length)]!;
  const path = `/Users/${user.id}`;
  const groupPath = `/Groups/${group.id}`;
  const there = users.filter(({ state }) => state !== 'deleted');
  switch (random(7)) {
    case 0:
    case 1:
      if (user.state === 'deleted') return;
      await patch(groupPath, { op: 'Add', path: 'members', value: values(user) });
      return void group.members.add(user);
    case 2:
      await patch(groupPath, { op: 'remove', path: `members[value eq "${user.id}"]` });
      return void group.members.delete(user);
    case 3: {
      if (user.state === 'deleted') return;
      const active = random(3) > 0;
      await patch(path, { op: 'replace', value: { active } });
      user.state = active ? 'active' : 'inactive';
      return;
    }
    case 4: {
      if (user.state !== 'deleted') {
        await ask('DELETE', path);
        user.state = 'deleted';
        for (const { members } of groups) members.delete(user);
        return;
      }
      const { body } = await ask('POST', '/Users', { body: newUser(user.name) });
      Object.assign(user, { id: body.id as string, state: 'active', email: `${user.name}@tenant.test` });
      return;
    }
    case 5: {
      const members = there.filter(() => random(2) === 0);
      const { displayName } = (await ask('GET', groupPath)).body;
      await ask('PUT', groupPath, { body: { schemas: [GROUP], displayName, members: values(...members) } });
      group.members = new Set(members);
      return;
    }
    default: {
      if (user.state === 'deleted') return;
      const value = `${user.name}.${random(3)}@tenant.test`;
      await patch(path, { op: 'Replace', path: 'emails[type eq "work"].value', value });
      user.email = value;
    }
  }
}

test.each([1, 2, 3])(
  'after each of many random changes, the admins are those of the groups (seed %i)',
  async (seed) => {
    const random = createRandom(seed);
    const users: User[] = [];
    for (const one of NAMES) {
      const name = `${one}${seed}`;
      users.push({ id: await makeUser(name), name, email: `${name}@tenant.test`, state: 'active' });
    }
    const groups: Group[] = [];
    for (const role of ROLES) {
      const created = await ask('POST', '/Groups', { body: { schemas: [GROUP], displayName: `${role} ${seed}` } });
      groups.push({ id: created.body.id as string, role, members: new Set() });
    }
    const roles = groups.map(({ id: groupId, role }) => ({ groupId, role }));
    expect((await put('/company/admin-provisioning', { enabled: true, roles })).status).toBe(200);
    for (let step = 0; step < 40; step += 1) {
      await change(random, users, groups);
      const wanted = users.flatMap((user) => {
        const role = groups.find(({ members }) => members.has(user))?.role;
        return role !== undefined && user.state === 'active' ? [[user.email, role]] : [];
      });
      const admins = (await get('/admins')).body.data as { email: string; role: string; managedBy: string | null }[];
      const actual = admins
        .filter(({ managedBy }) => managedBy === 'directory')
        .map(({ email, role }) => [email, role]);
      expect([step, actual.toSorted()]).toEqual([step, wanted.toSorted()]);
    }
  },
);
