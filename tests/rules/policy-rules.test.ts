import {
  judgeAssignment,
  judgeReminder,
  judgeRemoval,
  nextVersion,
  policyFailureMessages,
} from '../../src/resources/policies/policy-rules.ts';

describe('the next version', () => {
  test.each([
    ['1.0', true, false, '1.0'],
    ['1.0', true, true, '1.0'],
    ['0.0', true, true, '0.0'],
    ['3.7', true, false, '3.7'],
    ['1.0', false, false, '1.1'],
    ['1.9', false, false, '1.10'],
    ['1.0', false, true, '2.0'],
    ['3.7', false, true, '4.0'],
    ['0.0', false, false, '0.1'],
    ['0.5', false, true, '1.0'],
  ])('after %s (first %s, major %s) is %s', (current, isFirst, isMajor, expected) => {
    const [major, minor] = current.split('.').map(Number) as [number, number];
    const next = nextVersion({ major, minor }, isFirst, isMajor);
    expect(`${next.major}.${next.minor}`).toBe(expected);
  });
});

const facts = {
  inactive: new Map([
    ['active', false],
    ['inactive', true],
  ]),
  live: new Map([
    ['open', true],
    ['signed', true],
    ['new', true],
    ['draft', false],
  ]),
};

describe('assigning', () => {
  test.each([
    ['active', 'new', undefined],
    ['active', 'open', undefined],
    ['active', 'signed', undefined],
    ['active', 'draft', 'policy_not_live'],
    ['active', 'unknown', 'policy_not_found'],
    ['inactive', 'new', 'learner_inactive'],
    ['inactive', 'draft', 'learner_inactive'],
    ['inactive', 'unknown', 'policy_not_found'],
    ['unknown', 'new', 'learner_not_found'],
    ['unknown', 'unknown', 'learner_not_found'],
  ])('%s learner, %s policy: %s', (learner, policy, code) => {
    expect(judgeAssignment(facts)(learner, policy)).toBe(code);
  });
});

describe('reminding', () => {
  const assigned = { open: new Set(['open', 'draft']), signed: new Set(['signed']) };
  const assignments = new Map([
    ['active', assigned],
    ['inactive', assigned],
  ]);
  test.each([
    ['active', 'open', undefined],
    ['active', 'signed', 'already_signed'],
    ['active', 'new', 'not_assigned'],
    ['active', 'draft', 'policy_not_live'],
    ['active', 'unknown', 'policy_not_found'],
    ['inactive', 'open', 'learner_inactive'],
    ['inactive', 'signed', 'learner_inactive'],
    ['unknown', 'open', 'learner_not_found'],
  ])('%s learner, %s policy: %s', (learner, policy, code) => {
    expect(judgeReminder(facts, assignments)(learner, policy)).toBe(code);
  });

  test('a learner without any assignment has none to be reminded of', () => {
    expect(judgeReminder(facts, new Map())('active', 'open')).toBe('not_assigned');
  });
});

describe('removing', () => {
  const removed = new Map([
    ['active', new Set(['open'])],
    ['inactive', new Set(['draft'])],
  ]);
  test.each([
    ['active', 'open', undefined],
    ['inactive', 'draft', undefined],
    ['active', 'draft', 'not_assigned'],
    ['inactive', 'open', 'not_assigned'],
    ['active', 'unknown', 'policy_not_found'],
    ['unknown', 'open', 'learner_not_found'],
    ['unknown', 'unknown', 'learner_not_found'],
  ])('%s learner, %s policy: %s', (learner, policy, code) => {
    expect(judgeRemoval(facts, removed)(learner, policy)).toBe(code);
  });
});

test.each(Object.entries(policyFailureMessages))('%s is one sentence', (_code, message) => {
  expect(message).toMatch(/^[A-Z][^.]+\.$/);
});
