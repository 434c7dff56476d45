import {
  isSignable,
  judgeSigning,
  signingState,
} from '../../src/resources/policies/signatures/policy-signing-rules.ts';

const policy = {
  ...{ isAssigned: true, isSigned: false, signedVersionId: null },
  ...{ versionId: 'second', visitedVersionId: 'second' },
};

test.each([
  ['not_asked', { isAssigned: false }],
  ['not_asked', { isAssigned: false, signedVersionId: 'first' }],
  ['to_sign', {}],
  ['to_sign', { signedVersionId: 'second' }],
  ['newer_version', { isSigned: true, signedVersionId: 'first' }],
  ['signed', { isSigned: true, signedVersionId: 'second' }],
] as const)('a policy has the state %s: %j', (state, fields) => {
  expect(signingState({ ...policy, ...fields })).toBe(state);
  expect(isSignable({ ...policy, ...fields })).toBe(state === 'to_sign' || state === 'newer_version');
  for (const visitedVersionId of [null, 'first']) {
    expect(isSignable({ ...policy, ...fields, visitedVersionId })).toBe(false);
  }
});

const learner = { firstName: 'Anne-Marie', lastName: 'O’Neill' };

test.each(['Anne-Marie O’Neill', "  anne-marie   o'neill ", 'ANNE–MARIE O´NEILL', 'Anne-Marie\u00a0O’Neill\u200b'])(
  '%j matches the name of the learner',
  (name) => expect(judgeSigning({ name, agreed: true, opened: true }, learner)).toEqual({}),
);

test.each([
  ['', 'name_missing'],
  [' \u200b ', 'name_missing'],
  ['Anne-Marie', 'name_differs'],
  ['Anne-Marie O’Neil', 'name_differs'],
])('the name %j is rejected as %s', (name, fault) => {
  expect(judgeSigning({ name, agreed: true, opened: true }, learner)).toEqual({ name: fault });
});

test('signing requires the opened policy, the name and the agreement', () => {
  expect(judgeSigning({ name: '', agreed: false, opened: false }, learner)).toEqual({
    opened: 'not_opened',
    name: 'name_missing',
    agreed: 'not_agreed',
  });
});
