import type { ManifestItem } from '../../src/resources/courses/scorm/inspection/manifest-items.ts';
import { listMenu } from '../../src/resources/courses/scorm/package-menu.ts';
import {
  chooseItem,
  mergeReport,
  type PackageState,
  readCourseResult,
} from '../../src/resources/courses/scorm/package-state.ts';
import { NO_STATE } from '../../src/resources/courses/scorm/scorm-runtime-rules.ts';

const item = (title: string, fields: Partial<ManifestItem> = {}): ManifestItem =>
  ({
    id: title,
    title,
    level: 0,
    isHidden: false,
    isSco: true,
    isPlayed: false,
    launchPath: `${title}.html`,
    ...fields,
  }) as ManifestItem;

const items = [
  item('Part 1', { isSco: false, launchPath: null }),
  item('Intro', { level: 1, isPlayed: true }),
  item('Sheet', { level: 1, isSco: false, launchPath: 'sheet.pdf' }),
  item('Quiz', { level: 1 }),
  item('Secret', { isHidden: true }),
  item('Empty', { isSco: false, launchPath: null }),
];

/** Reports states in order, each by the position of its item. */
function after(...reports: [number, Record<string, string>][]): PackageState {
  return reports.reduce<PackageState>(
    (state, [position, reported]) => mergeReport(items, state, position, reported, NO_STATE),
    NO_STATE,
  );
}

const result = (...reports: [number, Record<string, string>][]) => readCourseResult(items, after(...reports), 70);

test('the menu lists headings over pages, pages and handouts, in the order of the manifest', () => {
  const menu = listMenu(items, after([1, { status: 'completed' }], [3, { status: 'incomplete' }]));
  expect(menu.map(({ title, level, isHeading, status }) => [title, level, isHeading, status])).toEqual([
    ['Part 1', 0, true, null],
    ['Intro', 1, false, 'completed'],
    ['Sheet', 1, false, null],
    ['Quiz', 1, false, 'begun'],
  ]);
  expect(menu.map(({ downloadPath }) => downloadPath)).toEqual([null, null, 'sheet.pdf', null]);
});

test('the course opens at the requested item, or else at the item that reported last', () => {
  expect(chooseItem(items, NO_STATE)).toBe(1);
  expect(chooseItem(items, after([1, {}], [3, {}]))).toBe(3);
  expect(chooseItem(items, after([3, {}]), 1)).toBe(1);
  expect(chooseItem(items, after([3, {}]), 4)).toBe(3);
});

test('each item has a separate state', () => {
  const state = after([1, { location: '4' }], [3, { location: '9' }], [1, { status: 'completed' }]);
  expect(state).toMatchObject({
    location: '4',
    status: 'completed',
    current: 1,
    others: { 3: { location: '9', status: '' } },
  });
});

test.each([[2], [4], [5], [99]])('a report for item %d, which reports no results, is rejected', (position) => {
  expect(() => mergeReport(items, NO_STATE, position, {}, NO_STATE)).toThrow(/position of an item/);
});

test('states of several megabytes are rejected', () => {
  const many = Array.from({ length: 200 }, (_none, index) => item(`Page ${index}`, { isPlayed: index === 0 }));
  const grow = () =>
    many.reduce<PackageState>(
      (state, _item, position) => mergeReport(many, state, position, { suspendData: 'x'.repeat(64_000) }, NO_STATE),
      NO_STATE,
    );
  expect(grow).toThrow(/too long/);
});

test.each<[string, [number, Record<string, string>][], object | undefined]>([
  ['one of two items is completed', [[1, { status: 'completed' }]], undefined],
  [
    'all are completed',
    [
      [1, { status: 'completed' }],
      [3, { status: 'completed' }],
    ],
    {},
  ],
  [
    'one is passed',
    [
      [1, { status: 'completed' }],
      [3, { status: 'passed' }],
    ],
    { passed: true },
  ],
  [
    'one is failed',
    [
      [1, { status: 'passed' }],
      [3, { status: 'failed' }],
    ],
    { passed: false },
  ],
  [
    'one is failed and suspended',
    [
      [1, { status: 'passed' }],
      [3, { status: 'failed', exit: 'suspend', location: '3' }],
    ],
    undefined,
  ],
  [
    'one has a score',
    [
      [1, { status: 'completed' }],
      [3, { status: 'passed', raw: '80' }],
    ],
    { score: 80 },
  ],
  [
    'one has a score and another is failed without one',
    [
      [1, { status: 'completed', raw: '100' }],
      [3, { status: 'failed' }],
    ],
    { passed: false },
  ],
  [
    'two have scores',
    [
      [1, { status: 'passed', raw: '90' }],
      [3, { status: 'passed', raw: '45' }],
    ],
    { score: 67.5 },
  ],
])('if %s, the result is %j', (_case, reports, expected) => {
  expect(result(...reports)).toEqual(expected);
});

test('a report that names no item decides by the first one', () => {
  const state = mergeReport(items, NO_STATE, undefined, { status: 'passed' }, NO_STATE);
  expect(readCourseResult(items, state, 70)).toEqual({ passed: true });
});

test('an attempt begun in the menu ends in the sandbox with its first item', () => {
  const begun = after([1, { status: 'incomplete' }], [3, { status: 'incomplete' }]);
  const ended = mergeReport(items, begun, undefined, { status: 'passed', raw: '80' }, NO_STATE);
  expect(readCourseResult(items, ended, 70)).toEqual({ score: 80 });
  // The menu requires all items again.
  const inMenu = mergeReport(items, ended, 3, { location: '2' }, NO_STATE);
  expect(readCourseResult(items, inMenu, 70)).toBeUndefined();
});
