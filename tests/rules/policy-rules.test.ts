import {
  type Content,
  decideChange,
  decideDiscard,
  decidePublication,
  judgeAssignment,
  judgeReminder,
  judgeRemoval,
  nextVersion,
  policyFailureMessages,
  type Versioned,
} from '../../src/resources/policies/policy-rules.ts';

interface Named extends Content {
  name: string;
}

const live: Named = { name: 'live', pdfFile: 'file' };
const draft: Named = { name: 'draft', pdfFile: 'file of the draft' };

const states: Record<string, Versioned<Named>> = {
  live: { isLive: true, content: live, draft: null },
  'live with draft': { isLive: true, content: live, draft },
  'live with the same as draft': { isLive: true, content: live, draft: { ...live } },
  'first draft': { isLive: false, content: draft, draft },
  empty: { isLive: false, content: { name: 'discarded', pdfFile: null }, draft: null },
};
const { live: isLive, empty } = states as { live: Versioned<Named>; empty: Versioned<Named> };

describe('a change', () => {
  test.each<[string, 'draft' | 'live', Partial<Named>, object]>([
    ['live', 'draft', {}, { step: 'nothing' }],
    ['live', 'draft', { name: 'live' }, { step: 'save_draft', content: live }],
    ['live', 'draft', { name: 'new' }, { step: 'save_draft', content: { ...live, name: 'new' } }],
    ['live with draft', 'draft', {}, { step: 'nothing' }],
    ['live with draft', 'draft', { name: 'new' }, { step: 'save_draft', content: { ...draft, name: 'new' } }],
    ['first draft', 'draft', { pdfFile: 'new' }, { step: 'save_draft', content: { ...draft, pdfFile: 'new' } }],
    ['first draft', 'draft', {}, { step: 'nothing' }],
    ['empty', 'draft', {}, { step: 'nothing' }],
    ['empty', 'draft', { pdfFile: 'new' }, { step: 'save_draft', content: { name: 'discarded', pdfFile: 'new' } }],
    ['live', 'live', {}, { step: 'nothing' }],
    ['live', 'live', { ...live }, { step: 'nothing' }],
    ['live', 'live', { name: 'new' }, { step: 'publish', content: { ...live, name: 'new' } }],
    ['live with draft', 'live', {}, { step: 'publish', content: draft }],
    ['live with draft', 'live', { name: 'new' }, { step: 'publish', content: { ...draft, name: 'new' } }],
    ['live with draft', 'live', { ...live }, { step: 'publish', content: live }],
    ['live with the same as draft', 'live', {}, { step: 'publish', content: live }],
    ['first draft', 'live', {}, { step: 'publish', content: draft }],
    ['first draft', 'live', { name: 'new' }, { step: 'publish', content: { ...draft, name: 'new' } }],
    ['empty', 'live', { pdfFile: 'new' }, { step: 'publish', content: { name: 'discarded', pdfFile: 'new' } }],
  ])('%s, action %s with %j: %j', (state, action, changes, decision) => {
    expect(decideChange(states[state]!, changes, action)).toEqual(decision);
  });

  test.each([
    ['draft', { name: 'new' }],
    ['live', { name: 'new' }],
    ['live', {}],
  ] as const)('%s with %j of a document without content needs a file', (action, changes) => {
    const refusal = { code: 'invalid_request', details: [{ field: 'body/pdfFile' }] };
    expect(catchError(() => decideChange(empty, changes, action))).toMatchObject(refusal);
  });

  test('lists are compared by what is in them', () => {
    const content = { pdfFile: 'file', locales: ['en', 'de'] };
    const document = { isLive: true, content, draft: null };
    expect(decideChange(document, { locales: ['en', 'de'] }, 'live')).toEqual({ step: 'nothing' });
    expect(decideChange(document, { locales: ['de', 'en'] }, 'live')).toMatchObject({ step: 'publish' });
  });

  test('leaves what it was given as it is', () => {
    const given = structuredClone(states['live with draft']!);
    decideChange(given, { name: 'new' }, 'live');
    expect(given).toEqual(states['live with draft']);
  });
});

describe('a publication', () => {
  test.each([
    ['live with draft', draft],
    ['live with the same as draft', live],
    ['first draft', draft],
  ])('of %s publishes the draft', (state, content) => {
    expect(decidePublication(states[state]!)).toEqual({ step: 'publish', content });
  });

  test.each([isLive, empty])('without a draft is refused', (document) => {
    expect(catchError(() => decidePublication(document))).toMatchObject({ code: 'no_draft' });
  });
});

describe('discarding', () => {
  test.each([
    ['live with draft', true],
    ['first draft', false],
  ])('the draft of %s: keeps the file %s', (state, keepsFile) => {
    expect(decideDiscard(states[state]!)).toEqual({ step: 'discard', keepsFile });
  });

  test.each([isLive, empty])('without a draft is refused', (document) => {
    expect(catchError(() => decideDiscard(document))).toMatchObject({ code: 'no_draft' });
  });
});

function catchError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('did not throw');
}

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
