import { compareCatalogue, type StoredCourse } from '../../src/commands/catalogue/catalogue-changes.ts';
import type { CourseContent, TargetCourse } from '../../src/commands/catalogue/catalogue-file.ts';

const contentOf = (name: string): CourseContent => ({
  ...{ external_id: name, name, display_name: name, subject: 'Any', difficulty: 1 },
  ...{ description: null, duration_minutes: null, pass_mark: 80, valid_for_months: null },
  ...{ locales: ['en'], localized_names: {} },
});
const stored = (name: string, more: Partial<StoredCourse> = {}): StoredCourse => {
  return { id: `id of ${name}`, type: 'training', retired: false, content: contentOf(name), ...more };
};
const wanted = (name: string, content: Partial<CourseContent> = {}, more: Partial<TargetCourse> = {}): TargetCourse => {
  return { id: undefined, type: 'training', retired: false, content: { ...contentOf(name), ...content }, ...more };
};
const analysis = { type: 'gap_analysis' } as const;
const kindsOf = (before: StoredCourse[], after: TargetCourse[]) =>
  compareCatalogue(before, after).changes.map((change) =>
    change.kind === 'new' ? ['new'] : [change.id, ...change.columns, change.retires],
  );

test('unchanged courses and courses missing from the file are left untouched', () => {
  const { changes, unchangedCount, otherCount, refusals } = compareCatalogue([stored('a'), stored('b')], [wanted('a')]);
  expect({ changes, unchangedCount, otherCount, refusals }).toEqual({
    ...{ changes: [], unchangedCount: 1, otherCount: 1, refusals: [] },
  });
});

test.each<[string, TargetCourse, unknown[]]>([
  ['is new under an unknown externalId', wanted('b'), ['new']],
  ['is new under an unknown id', wanted('b', {}, { id: 'id of b' }), ['new']],
  ['is found by its externalId', wanted('a', { pass_mark: 70 }), ['id of a', 'pass_mark', undefined]],
  [
    'is found by its id, and its externalId changes',
    wanted('a', { external_id: 'x' }, { id: 'id of a' }),
    ['id of a', 'external_id', undefined],
  ],
  ['is retired', wanted('a', {}, { retired: true }), ['id of a', true]],
])('a course %s', (_case, course, change) => {
  expect(kindsOf([stored('a')], [course])).toEqual([change]);
});

test('a course found by its id keeps its externalId if the file has none, and is un-retired', () => {
  const course = wanted('a', { external_id: null }, { id: 'id of a' });
  expect(kindsOf([stored('a')], [course])).toEqual([]);
  expect(kindsOf([stored('a', { retired: true })], [course])).toEqual([['id of a', false]]);
});

test.each<[string, TargetCourse[], string]>([
  [
    'an externalId that another course has',
    [wanted('b', { external_id: 'a' }, { id: 'id of b' })],
    'courses/0/externalId',
  ],
  ['a known externalId with an unknown id', [wanted('a', {}, { id: 'new' })], 'courses/0/externalId'],
  ['the same course twice', [wanted('a'), wanted('a', { external_id: null }, { id: 'id of a' })], 'courses/1: '],
  ['a changed type', [wanted('a', {}, { type: 'gap_analysis' })], 'courses/0/type'],
])('%s is rejected with its position', (_case, courses, place) => {
  const { changes, refusals } = compareCatalogue([stored('a'), stored('b')], courses);
  expect(changes).toEqual([]);
  expect(refusals).toEqual([expect.stringContaining(place)]);
});

test('a gap analysis without ids matches the existing one and stays retired unless the file says otherwise', () => {
  const before = [stored('a', { ...analysis, retired: true })];
  const shipped = wanted('b', { external_id: null }, { ...analysis, retired: undefined });
  expect(kindsOf(before, [shipped])).toEqual([['id of a', 'name', 'display_name', undefined]]);
  expect(kindsOf([], [shipped])).toEqual([['new']]);
});
