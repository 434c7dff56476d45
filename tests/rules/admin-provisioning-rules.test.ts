import fc from 'fast-check';
import {
  type AdminPlan,
  type Candidate,
  type CurrentAdmin,
  planAdmins,
} from '../../src/resources/directory/admin-provisioning-rules.ts';

const NO_LOCK = { domain: null, domainLock: false };
const ROLES = ['owner', 'administrator', 'analyst'];
const anyRole = fc.constantFrom(...ROLES);
const number = fc.integer({ min: 0, max: 5 });
const anyEmail = number.map((one) => `p${one}@tenant.test`);

const anyCandidate = (learner: number) =>
  fc.record({ email: anyEmail, role: anyRole }).map((fields): Candidate => ({
    ...{ learnerId: `l${learner}`, firstName: 'A', lastName: 'B', locale: null, roleId: null },
    ...fields,
  }));
const candidates = fc
  .tuple(...[0, 1, 2, 3].map((learner) => fc.option(anyCandidate(learner), { nil: undefined })))
  .map((all) => all.filter((one) => one !== undefined));

const admins = fc
  .uniqueArray(
    fc.record({
      email: anyEmail,
      role: anyRole,
      status: fc.constantFrom('active', 'invited'),
      emergencyAccess: fc.boolean(),
      learner: fc.option(number),
    }),
    { selector: ({ email }) => email, maxLength: 5 },
  )
  .map((all): CurrentAdmin[] => {
    const used = new Set<number>();
    return all.map(({ learner, status, ...fields }, index) => {
      const isNew = learner !== null && !used.has(learner);
      if (isNew) used.add(learner);
      const directoryLearnerId = isNew ? `l${learner}` : null;
      return {
        ...{ id: `a${index}`, firstName: 'A', lastName: 'B', roleId: null, isKept: false, directoryLearnerId },
        ...fields,
        status: directoryLearnerId === null ? status : 'active',
      };
    });
  });

/** Returns the admins after a plan, ordered by id. */
function applied(before: readonly CurrentAdmin[], plan: AdminPlan): CurrentAdmin[] {
  const removed = new Set(plan.removed);
  const kept = new Set(plan.kept);
  const changed = new Map(plan.changed.map((change) => [change.before, change.after]));
  const toAdmin = ({ learnerId, locale: _, ...fields }: Candidate) => ({ ...fields, directoryLearnerId: learnerId });
  const stayed = before
    .filter((admin) => !removed.has(admin))
    .map((admin) => {
      const after = changed.get(admin);
      if (!after) return kept.has(admin) ? { ...admin, isKept: true } : admin;
      const emergencyAccess = admin.emergencyAccess && after.email === admin.email;
      return { ...admin, ...toAdmin(after), status: 'active', emergencyAccess, isKept: after.isKept };
    });
  const added = plan.added.map((candidate) => ({
    ...{ id: `n-${candidate.learnerId}`, status: 'active', emergencyAccess: false, isKept: false },
    ...toAdmin(candidate),
  }));
  return [...stayed, ...added].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

const owners = (all: readonly CurrentAdmin[]) =>
  all.filter(({ status, role }) => status === 'active' && role === 'owner');

test('a plan keeps an active owner and unique addresses, and changes nobody whom it must not', () => {
  fc.assert(
    fc.property(candidates, admins, fc.boolean(), (members, before, joinsExistingAdmins) => {
      const plan = planAdmins({ candidates: members, admins: before, joinsExistingAdmins, policy: NO_LOCK });
      const after = applied(before, plan);
      if (owners(before).length > 0) expect(owners(after).length).toBeGreaterThan(0);
      expect(new Set(after.map(({ email }) => email)).size).toBe(after.length);
      const ids = after.flatMap(({ directoryLearnerId }) => directoryLearnerId ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      for (const admin of before) {
        const isByHand = admin.directoryLearnerId === null;
        if (isByHand && (!joinsExistingAdmins || admin.emergencyAccess)) expect(after).toContainEqual(admin);
      }
    }),
    { numRuns: 2000 },
  );
});

test('every member is an admin with the role of the group, or skipped, and nobody else belongs to the directory', () => {
  fc.assert(
    fc.property(candidates, admins, fc.boolean(), (members, before, joinsExistingAdmins) => {
      const plan = planAdmins({ candidates: members, admins: before, joinsExistingAdmins, policy: NO_LOCK });
      const after = applied(before, plan);
      const skipped = new Set(plan.skipped.map(({ learnerId }) => learnerId));
      for (const { learnerId, role, email } of members) {
        const admin = after.find(({ directoryLearnerId }) => directoryLearnerId === learnerId);
        if (!skipped.has(learnerId)) expect(admin).toMatchObject({ role, email, status: 'active' });
      }
      for (const { directoryLearnerId, isKept } of after) {
        if (directoryLearnerId === null || isKept) continue;
        expect(members.some(({ learnerId }) => learnerId === directoryLearnerId)).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

const [FIRST, SECOND, THIRD] = [1, 2, 3].map((one) => `p${one}@tenant.test`) as [string, string, string];
const move = (learner: number, email: string): Candidate => ({
  ...{ learnerId: `l${learner}`, email, firstName: 'A', lastName: 'B', locale: null, role: 'analyst', roleId: null },
});
const holds = (learner: number | null, email: string): CurrentAdmin => ({
  ...{ id: `a-${email}`, email, firstName: 'A', lastName: 'B', status: 'active', role: 'analyst', roleId: null },
  ...{ emergencyAccess: false, directoryLearnerId: learner === null ? null : `l${learner}`, isKept: false },
});

test.each([
  ['a chain', [move(1, SECOND), move(2, THIRD)], [holds(1, FIRST), holds(2, SECOND)]],
  ['a chain in the other order', [move(1, THIRD), move(2, FIRST)], [holds(1, FIRST), holds(2, SECOND)]],
  ['a circle', [move(1, SECOND), move(2, FIRST)], [holds(1, FIRST), holds(2, SECOND)]],
  ['an address that a new member gets', [move(1, SECOND), move(3, FIRST)], [holds(1, FIRST)]],
])('one plan moves the addresses of %s', (_case, members, before) => {
  const plan = planAdmins({ candidates: members, admins: before, joinsExistingAdmins: false, policy: NO_LOCK });
  expect(plan.skipped).toEqual([]);
  const emails = applied(before, plan).map(({ directoryLearnerId, email }) => [directoryLearnerId, email]);
  expect(emails.toSorted()).toEqual(members.map(({ learnerId, email }) => [learnerId, email]).toSorted());
});

test('a chain behind an address that an invited admin keeps does not change', () => {
  const before = [holds(1, FIRST), holds(2, SECOND), holds(null, THIRD)];
  const members = [move(1, SECOND), move(2, THIRD)];
  const plan = planAdmins({ candidates: members, admins: before, joinsExistingAdmins: false, policy: NO_LOCK });
  expect(plan.changed).toEqual([]);
  expect(plan.skipped.map(({ reason }) => reason)).toEqual(['email_taken', 'email_taken']);
});

test('plans settle: after as many plans as there are members, another one changes nothing', () => {
  fc.assert(
    fc.property(candidates, admins, fc.boolean(), (members, before, joinsExistingAdmins) => {
      let all = before;
      const plan = () => planAdmins({ candidates: members, admins: all, joinsExistingAdmins, policy: NO_LOCK });
      for (let round = 0; round <= members.length + 1; round += 1) all = applied(all, plan());
      const { added, changed, removed } = plan();
      expect({ added, changed, removed }).toEqual({ added: [], changed: [], removed: [] });
    }),
    { numRuns: 2000 },
  );
});
