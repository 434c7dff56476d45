import type { BoardFigures } from './board-figures.ts';
import type { BoardFormats } from './board-formats.ts';
import { type BoardPages, COLORS, LEFT, RIGHT } from './board-page.ts';

const HEIGHT = 180;
const TICKS = [0, 25, 50, 75, 100];
const AXIS = LEFT + 28;
const END = RIGHT - 34;

/** Draws the risk as a line, from 0 to 100. Each day has a fixed position, so that missing days leave a gap. */
export function drawRisk(pages: BoardPages, risk: BoardFigures['risk'], formats: BoardFormats, top: number): void {
  const { document } = pages;
  const times = risk.map(({ date }) => Date.parse(date));
  const [first, last] = [times[0]!, times.at(-1)!];
  const x = (time: number) => (last === first ? END : AXIS + ((time - first) / (last - first)) * (END - AXIS));
  const y = (score: number) => top + HEIGHT * (1 - score / 100);
  const quiet = { size: 8, color: COLORS.quiet };
  for (const tick of TICKS) {
    document.moveTo(AXIS, y(tick)).lineTo(END, y(tick)).lineWidth(0.5).stroke(COLORS.line);
    pages.label(formats.number(tick), LEFT, y(tick) - 5, { ...quiet, width: 22, align: 'right' });
  }
  risk.forEach(({ averageScore }, index) => {
    const point = [x(times[index]!), y(averageScore)] as const;
    if (index === 0) document.moveTo(...point);
    else document.lineTo(...point);
  });
  document.lineWidth(1.5).stroke(COLORS.first);
  const end = risk.at(-1)!;
  document.circle(x(last), y(end.averageScore), 2.5).fill(COLORS.first);
  pages.label(formats.score(end.averageScore), x(last) + 6, y(end.averageScore) - 5, {
    size: 9,
    isBold: true,
    width: 34,
  });
  if (first !== last) pages.label(formats.day(risk[0]!.date), AXIS, top + HEIGHT + 8, { ...quiet, width: 150 });
  pages.label(formats.day(end.date), END - 150, top + HEIGHT + 8, { ...quiet, width: 150, align: 'right' });
}
