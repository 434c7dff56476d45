import fc from 'fast-check';
import {
  judgeSignatures,
  latestSignatures,
  type SignatureEvent,
  type SignatureFacts,
} from '../../src/resources/policies/signatures/signature-event-rules.ts';

const POLICY = 'policy';
const facts: SignatureFacts = {
  now: new Date('2026-11-01T12:00:00Z'),
  findLearnerId: ({ email }) => (email === 'eve@x.test' ? undefined : email),
  versionsByPolicy: new Map([
    [
      POLICY,
      [
        { id: 'v3', publishedAt: '2026-03-01T00:00:00.000Z' },
        { id: 'v1', publishedAt: '2026-01-01T00:00:00.000Z' },
        { id: 'v2', publishedAt: '2026-02-01T00:00:00.000Z' },
        { id: 'v4', publishedAt: '2026-03-01T00:00:00.000Z' },
      ],
    ],
    ['draft', []],
  ]),
  recorded: new Map(),
};
const input = (more: object = {}) => ({
  learner: { email: 'ada@x.test' },
  policyId: POLICY,
  signedAt: '2026-02-10T08:00:00Z',
  offline: true,
  eventId: 'e1',
  ...more,
});
const judge = (inputs: ReturnType<typeof input>[], more: Partial<SignatureFacts> = {}) =>
  judgeSignatures(inputs, { ...facts, ...more });

test.each([
  ['between two versions, the earlier one', '2026-02-10T08:00:00Z', 'v2'],
  ['at the moment of a publication, the new one', '2026-02-01T00:00:00Z', 'v2'],
  ['just before a publication, the previous one', '2026-02-01T00:59:59.999+01:00', 'v1'],
  ['of two versions published at the same time, the version created later', '2026-09-01T00:00:00Z', 'v4'],
  ['at the moment of the call, the last one', '2026-11-01T12:00:00Z', 'v4'],
])('a signature is for the version that was live at its time: %s', (_case, signedAt, versionId) => {
  expect(judge([input({ signedAt })]).added).toMatchObject([{ versionId }]);
});

test.each<[string, object]>([
  ['learner_not_found', { learner: { email: 'eve@x.test' } }],
  ['policy_not_found', { policyId: 'another' }],
  ['version_not_found', { versionId: 'another' }],
  ['not_published_then', { versionId: 'v3' }],
  ['not_published_then', { signedAt: '2025-12-31T23:59:59.999Z' }],
  ['not_published_then', { policyId: 'draft' }],
  ['time_not_plausible', { signedAt: '2026-11-01T12:00:00.001Z' }],
  ['time_not_plausible', { signedAt: '2016-10-31T00:00:00Z' }],
])('%s fails only its own item', (code, more) => {
  const { added, outcome } = judge([input({ eventId: 'e0', ...more }), input()]);
  expect(outcome).toEqual({
    success: false,
    completed: [{ index: 1, eventId: 'e1' }],
    failures: [{ index: 0, eventId: 'e0', code, message: expect.any(String) }],
    errors: [],
  });
  expect(added).toHaveLength(1);
});

test('a repeated event matches in another notation, without a version, or with the recorded version', () => {
  const [known] = judge([input()]).added;
  const recorded = new Map([['e1', known!]]);
  const versionsByPolicy = new Map([
    [POLICY, [...facts.versionsByPolicy.get(POLICY)!, { id: 'v9', publishedAt: known!.signed }]],
  ]);
  for (const more of [{}, { versionId: 'v2' }, { signedAt: '2026-02-10T09:00:00.000+01:00' }]) {
    const { added, outcome } = judge([input(more)], { recorded, versionsByPolicy });
    expect([added, outcome.completed]).toEqual([[], [{ index: 0, eventId: 'e1' }]]);
  }
});

test.each<[string, object]>([
  ['learner', { learner: { email: 'bob@x.test' } }],
  ['version', { versionId: 'v1' }],
  ['time', { signedAt: '2026-02-10T08:00:00.001Z' }],
  ['kind', { offline: false }],
  ['note', { note: 'Folder 12' }],
])('an event id with a different %s is rejected as reused, even within a call', (_case, more) => {
  const { added, outcome } = judge([input(), input(more)]);
  expect(added).toHaveLength(1);
  expect(outcome.failures).toMatchObject([{ index: 1, code: 'event_id_reused' }]);
});

test('the latest signatures are the same in every order', () => {
  const signature = fc.record({
    eventId: fc.string(),
    learnerId: fc.constantFrom('ada', 'bob'),
    policyId: fc.constantFrom('p1', 'p2'),
    versionId: fc.constantFrom('v1', 'v2'),
    signed: fc.constantFrom('2026-02-10T08:00:00.000Z', '2026-02-11T08:00:00.000Z'),
    offline: fc.boolean(),
    note: fc.constant(null),
  });
  const seen = (signatures: SignatureEvent[]) =>
    latestSignatures(signatures)
      .map(({ eventId: _id, ...rest }) => JSON.stringify(rest))
      .toSorted();
  fc.assert(
    fc.property(
      fc
        .array(signature, { maxLength: 8 })
        .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => expect(seen(shuffled)).toEqual(seen(all)),
    ),
  );
});

test('at equal times, the later version is the latest, then the signature that is not offline', () => {
  const one: SignatureEvent = { ...judge([input()]).added[0]!, offline: false };
  const paper = { ...one, offline: true };
  expect(latestSignatures([one, paper])).toEqual([one]);
  expect(latestSignatures([{ ...paper, versionId: 'v3' }, one])).toEqual([{ ...paper, versionId: 'v3' }]);
});
