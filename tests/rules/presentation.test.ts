import { Rows } from '../../src/db/rows.ts';
import { MAX_TEXT_LENGTH, present } from '../../src/mcp/presentation.ts';

const whole = { offset: 0, limit: 50 };
const rowsOf = (items: unknown[]) => Rows.of(() => items[Symbol.iterator]());
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const ids = (count: number) => numbers(count).map((n) => `0192a3b4-0000-7000-8000-${String(n).padStart(12, '0')}`);

async function shown(answer: unknown, rows: string | null, part = whole): Promise<any> {
  const text = await present(answer, rows, part);
  expect(text.length).toBeLessThanOrEqual(MAX_TEXT_LENGTH);
  return JSON.parse(text);
}

/** Returns the number of shown items plus the number reported as left out. */
function countShown(value: Record<string, any>, name: string): number {
  return (value[name] as unknown[]).length + ((value[`${name}LeftOut`] as number | undefined) ?? 0);
}

/** Reads every item by following the cursor. */
async function follow(answer: () => unknown, rows: string, limit: number): Promise<any[]> {
  const all: unknown[] = [];
  for (let offset = 0; ;) {
    const part = await shown(answer(), rows, { offset, limit });
    all.push(...(part[rows || 'items'] as unknown[]));
    if (part.nextCursor === undefined) return all;
    expect(Number(part.nextCursor)).toBeGreaterThan(offset);
    offset = Number(part.nextCursor);
  }
}

describe('a list', () => {
  test('that fits is shown completely, with its total', async () => {
    expect(await shown(rowsOf([1, 2]), '')).toEqual({ total: 2, shown: '1 to 2', items: [1, 2] });
    expect(await shown([1, 2], '')).toEqual({ total: 2, shown: '1 to 2', items: [1, 2] });
  });

  test('without items shows none', async () => {
    for (const part of [whole, { offset: 7, limit: 1 }])
      expect(await shown(rowsOf([]), '', part)).toEqual({ total: 0, shown: 'none', items: [] });
  });

  test('longer than the limit has a cursor', async () => {
    expect(await shown(rowsOf(numbers(9)), '', { offset: 3, limit: 2 })).toEqual({
      total: 9,
      shown: '4 to 5',
      nextCursor: '5',
      more: 'Call again with cursor "5" for more.',
      items: [3, 4],
    });
  });

  test('read past its end shows none and has no cursor', async () => {
    expect(await shown(rowsOf(numbers(9)), '', { offset: 9, limit: 2 })).toEqual({
      total: 9,
      shown: 'none',
      items: [],
    });
    expect(await shown(numbers(9), '', { offset: 999_999_999, limit: 2 })).toMatchObject({ total: 9, items: [] });
  });

  test.each([1, 2, 3, 50, 200])('read in pages of %i yields each item once, even if items are long', async (limit) => {
    const items = numbers(120).map((n) => ({ n, text: 'x'.repeat((n * 7919) % 30_000) }));
    expect(await follow(() => rowsOf(items), '', limit)).toEqual(items);
    expect(await follow(() => ({ total: 'of another', list: items, x: 1 }), 'list', limit)).toEqual(items);
  });

  test('is measured as JSON, including escapes and emoji', async () => {
    const items = numbers(200).map(() => '"\\\n\u0001🦊\ud800'.repeat(100));
    expect(await follow(() => rowsOf(items), '', 200)).toEqual(items);
  });

  test('of 39,900 characters is not cut, a slightly longer one is', async () => {
    expect((await shown(['x'.repeat(39_900)], '')).items[0]).toHaveLength(39_900);
    expect((await shown(['x'.repeat(19_990), 'x'.repeat(19_990)], '')).items).toHaveLength(1);
  });

  test('has shared fields first, then its total, then its items', async () => {
    const text = await present({ rows: rowsOf([1]), summary: { all: 1 } }, 'rows', whole);
    expect(text).toBe('{"summary":{"all":1},"total":1,"shown":"1 to 1","rows":[1]}');
  });
});

describe('an item that does not fit', () => {
  test('is cut in its own lists and reports by how much', async () => {
    const item = { id: 1, name: 'a', accounts: ids(5000), other: ids(3) };
    const { items, total } = await shown([item, item], '', { offset: 0, limit: 1 });
    expect(total).toBe(2);
    expect(items[0]).toMatchObject({ id: 1, name: 'a', other: ids(3) });
    expect(items[0].accounts.length).toBeGreaterThanOrEqual(200);
    expect(countShown(items[0], 'accounts')).toBe(5000);
  });

  test('still counts if nothing of it can be shown', async () => {
    const long = { id: 1, text: 'x'.repeat(50_000) };
    const { total, nextCursor } = await shown([long, { id: 2 }, { id: 3 }], '', { offset: 0, limit: 1 });
    expect({ total, nextCursor }).toEqual({ total: 3, nextCursor: '1' });
    expect(await shown([long, { id: 2 }], '', { offset: 1, limit: 1 })).toMatchObject({ items: [{ id: 2 }] });
  });

  test('does not affect the other items of its list', async () => {
    const items = numbers(30).map((n) => ({ n, list: n === 13 ? ids(5000) : [] }));
    const all = await follow(() => rowsOf(items), '', 50);
    expect(all.map(({ n }) => n as number)).toEqual(numbers(30));
    expect(countShown(all[13], 'list')).toBe(5000);
  });
});

describe('a single object', () => {
  test('is shown unchanged, including null and false', async () => {
    const thing = { id: 'x', no: null, off: false, zero: 0, empty: [], inner: { list: [1] } };
    expect(await shown(thing, null)).toEqual(thing);
  });

  test.each([199, 200, 201, 900, 1001, 5000])(
    'with a list of %i reports how many items it leaves out, if any',
    async (count) => {
      for (const list of [ids(count), rowsOf(ids(count))]) {
        const answer = await shown({ id: 'x', list }, null);
        expect(countShown(answer, 'list')).toBe(count);
        expect(answer.list).toEqual(ids(count).slice(0, answer.list.length));
        expect(answer.list.length).toBeGreaterThanOrEqual(Math.min(count, 199));
      }
    },
  );

  test('with nested lists reports it for each list', async () => {
    const tree = { name: 'root', children: numbers(300).map((n) => ({ n, children: ids(50), none: [] })) };
    const answer = await shown({ tree }, null);
    expect(countShown(answer.tree, 'children')).toBe(300);
    for (const child of answer.tree.children) expect(countShown(child, 'children')).toBe(50);
  });
});

describe('lists next to the main list', () => {
  const beside = (courses: number, text = '') => ({
    courses: rowsOf(numbers(courses).map((n) => ({ n, text }))),
    learners: rowsOf(ids(3)),
  });

  test('are cut to fifty items', async () => {
    const answer = await shown(beside(51), 'learners');
    expect(answer.courses).toHaveLength(50);
    expect(answer.coursesLeftOut).toBe(1);
    expect(await shown(beside(50), 'learners')).not.toHaveProperty('coursesLeftOut');
  });

  test('report the total loss when they are cut twice', async () => {
    expect(countShown(await shown(beside(300, 'x'.repeat(2000)), 'learners'), 'courses')).toBe(300);
  });

  test('leave room for the main list even if they are long', async () => {
    const answer = await shown({ groups: ids(2000), learners: rowsOf(ids(40)) }, 'learners');
    expect(answer.learners.length).toBeGreaterThan(10);
    expect(countShown(answer, 'groups')).toBe(2000);
  });

  test('leave every item of the main list reachable even if they are long', async () => {
    const answer = () => ({ groups: ids(2000), learners: rowsOf(ids(40)) });
    expect(await follow(answer, 'learners', 50)).toEqual(ids(40));
  });
});
