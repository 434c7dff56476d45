import {
  givingUp,
  judgeChanges,
  type LearnerChange,
  type StoredLearner,
} from '../../src/resources/learners/learner-update-rules.ts';

const stored = (name: string): StoredLearner => ({
  id: name,
  email: `${name}@new.test`,
  firstName: name,
  lastName: 'New',
  externalLearnerId: name,
  locale: null,
  department: null,
  jobTitle: null,
  country: null,
  location: null,
  timeZone: null,
  absentUntil: null,
  managerId: null,
  excludedFromAutoEnrol: false,
});

/** Judges changes to learners whose address and external id equal their name. */
function judge(asked: Record<string, object>, others: string[] = []) {
  const names = [...Object.keys(asked), ...others];
  const changes = Object.entries(asked).map(([name, fields], index): LearnerChange => {
    return { index, learner: stored(name), ...fields };
  });
  return judgeChanges(changes, {
    emailPolicy: { domain: null, domainLock: false, freeMail: new Set() },
    existingGroupIds: new Set(),
    existingManagerIds: new Set(),
    emailHolders: new Map(names.map((name) => [`${name}@new.test`, name])),
    externalIdHolders: new Map(names.map((name) => [name, name])),
  });
}

const taking = (name: string) => ({ email: `${name}@new.test` });

test('a change rejected for one field keeps its other values occupied', () => {
  const { refused } = judge(
    { ada: { ...taking('free'), externalLearnerId: 'eve' }, bob: taking('ada'), max: { externalLearnerId: 'bob' } },
    ['eve'],
  );
  expect(refused.map(({ index, code, holderId }) => ({ index, code, holderId }))).toEqual([
    { index: 0, code: 'external_learner_id_taken', holderId: 'eve' },
    { index: 1, code: 'email_taken', holderId: 'ada' },
    { index: 2, code: 'external_learner_id_taken', holderId: 'bob' },
  ]);
});

test('an external id cleared in a call is free for another change in that call', () => {
  const { accepted } = judge({ ada: { externalLearnerId: 'bob' }, bob: { externalLearnerId: null } });
  expect(accepted).toHaveLength(2);
  expect(givingUp(accepted)).toEqual({ emails: [], externalIds: ['bob'] });
});

test('changing only the case of an address keeps it occupied', () => {
  const { accepted, refused } = judge({ ada: { email: 'ADA@new.test' }, bob: taking('ada') });
  expect([accepted.length, refused.length]).toEqual([1, 1]);
  expect(givingUp(accepted)).toEqual({ emails: [], externalIds: [] });
});

test.each(['free', 'taken'])('a chain of 10,000 address changes that ends in a %s one is judged', (end) => {
  const asked = Array.from({ length: 10_000 }, (_, n) => [`n${n}`, taking(n === 9999 ? end : `n${n + 1}`)]);
  const { accepted, refused } = judge(Object.fromEntries(asked) as Record<string, object>, ['taken']);
  expect([accepted.length, refused.length]).toEqual(end === 'free' ? [10_000, 0] : [0, 10_000]);
  expect(givingUp(accepted).emails).toHaveLength(end === 'free' ? 9999 : 0);
});
