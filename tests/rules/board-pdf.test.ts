import { extractText, getDocumentProxy } from 'unpdf';
import { isRightToLeft, toVisualOrder } from '../../src/resources/board-report/bidi.ts';
import type { BoardFigures } from '../../src/resources/board-report/board-figures.ts';
import { printBoardReport } from '../../src/resources/board-report/board-pdf.ts';

const COUNTS = { enrollmentCount: 10, startedCount: 9, finishedCount: 8, passedCount: 7 };
const company = (name: string): BoardFigures['now'] => ({
  ...{ id: '018d7855-b7a0-7000-8100-000000000002', name, learnerCount: 120, averageRiskScore: 39.8 },
  ...{ riskScoreLevel: 'moderate', training: COUNTS, policies: { assignedCount: 10, signedCount: 3 } },
  simulations: { sentCount: 20, clickRate: 0.11, reportRate: null },
});
const department = (name: string | null, learnerCount: number) => {
  return { name, learnerCount, training: COUNTS, policies: { assignedCount: 0, signedCount: 0 } };
};
const figures = (changes: Partial<BoardFigures>): BoardFigures => ({
  ...{ language: 'en', from: '2026-09-01', to: '2026-11-30', now: company('Acme'), before: company('Acme') },
  ...{ departments: [], risk: [], overdue: [], due: [] },
  ...changes,
});

async function pagesOf(changes: Partial<BoardFigures>): Promise<string[]> {
  const pdf = await printBoardReport(figures(changes));
  return (await extractText(await getDocumentProxy(new Uint8Array(pdf)))).text;
}

test('a company without data has four pages', async () => {
  const pages = await pagesOf({});
  expect(pages).toHaveLength(4);
  expect(pages[2]).toContain('Nobody is overdue.');
  expect(pages[3]).toContain('No task is due next.');
});

test('sixty departments stay on one page, largest first, with a count of the others', async () => {
  const departments = Array.from({ length: 60 }, (_, index) => department(`Department ${index}`, index + 1));
  const pages = await pagesOf({ departments });
  expect(pages).toHaveLength(4);
  expect(pages[0]).toContain('Department 59');
  expect(pages[0]).not.toMatch(/Department 5\b/);
  const shown = pages[0]!.match(/Department \d+/g)!.length;
  expect(pages[0]).toContain(`Not shown: ${60 - shown} more`);
});

test('names of 200 characters are cut to their column', async () => {
  const long = 'W'.repeat(200);
  const pages = await pagesOf({ now: company(long), departments: [department(long, 2)] });
  expect(pages).toHaveLength(4);
  expect(pages[0]).toMatch(/W+…/);
});

test('a single day of risk draws a point', async () => {
  expect((await pagesOf({ risk: [{ date: '2026-11-29', averageScore: 41.2 }] }))[1]).toContain('41.2');
});

test.each([
  ['Acme Ltd', 'Acme Ltd', false],
  ['شركة أكمي', 'أكمي شركة', true],
  ['شركة أكمي Acme Group الدولية', 'الدولية Acme Group أكمي شركة', true],
  ['Acme شركة أكمي 24', 'Acme 24 أكمي شركة', false],
])('draws the words of %s in visual order', (text, drawn, fromRight) => {
  expect(toVisualOrder(text)).toBe(drawn);
  expect(isRightToLeft(text)).toBe(fromRight);
});
