import {
  type Content,
  decideChange,
  decideDiscard,
  decidePublication,
  type Versioned,
} from '../../src/resources/policies/versioning/document-rules.ts';

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

describe('decideChange', () => {
  test.each<[string, 'draft' | 'live', Partial<Named>, object]>([
    ['live', 'draft', {}, { step: 'nothing' }],
    ['live', 'draft', { name: 'live' }, { step: 'save_draft', content: live }],
    ['live with the same as draft', 'draft', { name: 'live' }, { step: 'nothing' }],
    ['live with draft', 'draft', { name: 'draft' }, { step: 'nothing' }],
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
  ] as const)('%s with %j of a document without content is rejected for lack of a file', (action, changes) => {
    const refusal = { code: 'invalid_request', details: [{ field: 'body/pdfFile' }] };
    expect(catchError(() => decideChange(empty, changes, action))).toMatchObject(refusal);
  });

  test('compares lists by their elements', () => {
    const content = { pdfFile: 'file', locales: ['en', 'de'] };
    const document = { isLive: true, content, draft: null };
    expect(decideChange(document, { locales: ['en', 'de'] }, 'live')).toEqual({ step: 'nothing' });
    expect(decideChange(document, { locales: ['de', 'en'] }, 'live')).toMatchObject({ step: 'publish' });
  });

  test('leaves its input unchanged', () => {
    const given = structuredClone(states['live with draft']!);
    decideChange(given, { name: 'new' }, 'live');
    expect(given).toEqual(states['live with draft']);
  });
});

describe('decidePublication', () => {
  test.each([
    ['live with draft', draft],
    ['live with the same as draft', live],
    ['first draft', draft],
  ])('publishes the draft of %s', (state, content) => {
    expect(decidePublication(states[state]!)).toEqual({ step: 'publish', content });
  });

  test.each([isLive, empty])('rejects a document without a draft', (document) => {
    expect(catchError(() => decidePublication(document))).toMatchObject({ code: 'no_draft' });
  });
});

describe('decideDiscard', () => {
  test.each([
    ['live with draft', true],
    ['first draft', false],
  ])('discards the draft of %s and keeps its file: %s', (state, keepsFile) => {
    expect(decideDiscard(states[state]!)).toEqual({ step: 'discard', keepsFile });
  });

  test.each([isLive, empty])('rejects a document without a draft', (document) => {
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
