import { prepare, search, type SearchEntry, splitWords } from '../../src/docs/assets/rank.js';

const entry = (group: string, title: string, more: Partial<SearchEntry> = {}): SearchEntry => {
  return { group, title, path: `/docs/${title.toLowerCase().replaceAll(' ', '-')}`, text: '', words: '', ...more };
};
const index = prepare([
  entry('Guides', 'Webhooks', { text: 'Events are sent to your endpoint.' }),
  entry('Guides', 'Retry safely · Errors', { words: 'idempotency key learner' }),
  entry('Operations', 'Create a learner', { name: 'createLearner', text: 'POST /v1/learners.' }),
  entry('Operations', 'Create many learners', { name: 'createLearners', words: 'webhook' }),
  entry('Errors', 'email_taken', { name: 'email_taken', text: 'Another learner has the address.' }),
]);
const titles = (query: string) => search(index, query).flatMap(({ entries }) => entries.map(({ title }) => title));

describe('splitWords', () => {
  test.each([
    ['Create a learner', ['create', 'a', 'learner']],
    ['createLearner', ['createlearner', 'create', 'learner']],
    ['email_taken', ['email_taken', 'email', 'taken']],
    ['data.learnerId.', ['data.learnerid', 'data', 'learner', 'id']],
    ['If-Match', ['if', 'match']],
    ['GET /v1/learners/{learnerId}', ['get', 'v1', 'learners', 'learnerid', 'learner', 'id']],
    ['', []],
  ])('%s has the words %j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });
});

describe('search', () => {
  test('finds an identifier by its name, its parts and its prefix', () => {
    for (const query of ['createLearner', 'CREATELEARNER', 'learner create', 'crea lear'])
      expect(titles(query)[0]).toBe('Create a learner');
    expect(titles('email_taken')).toEqual(['email_taken']);
    expect(titles('taken')).toEqual(['email_taken']);
  });

  test('finds only entries that have every word', () => {
    expect(titles('learner key')).toEqual(['Retry safely · Errors']);
    expect(titles('learner absent')).toEqual([]);
  });

  test('ranks a word in the title before the same word in the text', () => {
    expect(titles('webhook')).toEqual(['Webhooks', 'Create many learners']);
  });

  test('groups results, and the group of the best result comes first', () => {
    expect(search(index, 'learner').map(({ group }) => group)).toEqual(['Operations', 'Guides', 'Errors']);
  });

  test('tolerates one wrong letter in a short word and two in a long word', () => {
    expect(titles('webhoks')).toEqual(titles('webhooks'));
    expect(titles('emial_taken')).toEqual(['email_taken']);
    expect(titles('idempotenzi')).toEqual(['Retry safely · Errors']);
    expect(titles('wxyzzy')).toEqual([]);
  });

  test('finds nothing for a query without words', () => {
    for (const query of ['', '  ', '/', '“”']) expect(search(index, query)).toEqual([]);
  });

  test('truncates a long query', () => {
    expect(() => search(index, 'learner '.repeat(100_000))).not.toThrow();
    expect(titles('learner '.repeat(1000))).toEqual(titles('learner'));
  });
});
