import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type PDFDocument from 'pdfkit';
import type { Schemas } from '../../contract/contract.ts';
import type { BoardFigures } from './board-figures.ts';
import { BoardPages, COLORS, LEFT, RIGHT, type TableRow, WIDTH } from './board-page.ts';
import { type BoardMessages, boardMessages } from './board-messages.ts';
import { type BoardFormats, createFormats } from './board-formats.ts';
import { drawRisk } from './board-risk.ts';

/**
 * Path of a font file. DejaVu covers Latin, Greek, Cyrillic, Arabic, Hebrew and more. Characters that the font lacks
 * are drawn as empty boxes.
 */
const font = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));

const PAGES = 4;
const SMALL = { size: 9, maxLines: 1 } as const;
const HEAD = { size: 9, maxLines: 2, isBold: true, color: COLORS.quiet } as const;
const ROW = 19;

interface Print {
  pages: BoardPages;
  figures: BoardFigures;
  messages: BoardMessages;
  formats: BoardFormats;
}

/** Renders the board report as a tagged PDF of four pages. With 60 departments, this takes about 0.4 s on one core. */
export async function printBoardReport(figures: BoardFigures): Promise<Buffer> {
  const { default: Pdf } = await import('pdfkit');
  const { language, now, to } = figures;
  const messages = boardMessages[language];
  const document: InstanceType<typeof PDFDocument> = new Pdf({
    ...{ size: 'A4', margin: 0, pdfVersion: '1.7', autoFirstPage: false, font: font('DejaVuSans') },
    ...{ lang: language, tagged: true, displayTitle: true },
    info: { Title: `${messages.title}: ${now.name}`, Author: now.name, CreationDate: new Date(to) },
  });
  document.registerFont('plain', font('DejaVuSans')).registerFont('bold', font('DejaVuSans-Bold'));
  const print = { pages: new BoardPages(document), figures, messages, formats: createFormats(language) };
  [printStanding, printChange, printOverdue, printNext].forEach((page, index) => {
    beginPage(print, index + 1);
    page(print);
  });
  print.pages.end();
  return buffer(document);
}

/** Begins a page with the company's name. After the first page, the name is a decoration that screen readers skip. */
function beginPage({ pages, figures, messages, formats }: Print, number: number): void {
  const { now, from, to } = figures;
  pages.addPage();
  const period = messages.period(formats.day(from), formats.day(to));
  if (number === 1) {
    pages.text('H1', messages.title, { size: 20, isBold: true }, 2);
    pages.text('P', now.name, { size: 13, maxLines: 3 }, 0);
    pages.text('P', period, { size: 10, color: COLORS.quiet }, 16);
  } else {
    pages.artifact(() => pages.label(`${now.name}`, LEFT, pages.y, { ...SMALL, color: COLORS.quiet }));
    pages.y += 24;
  }
  pages.artifact(() => {
    pages.label(`${messages.title} · ${period}`, LEFT, 806, { ...SMALL, size: 8, color: COLORS.quiet, width: 380 });
    const at = { ...SMALL, size: 8, color: COLORS.quiet, width: 100, align: 'right' } as const;
    pages.label(messages.page(number, PAGES), RIGHT - 100, 806, at);
  });
}

const heading = ({ pages }: Print, text: string) => pages.text('H2', text, { size: 15, isBold: true }, 6);

function printStanding(print: Print): void {
  const { pages, figures, messages, formats } = print;
  const { now, departments, overdue } = figures;
  heading(print, messages.standing);
  const { learnerCount } = now;
  const text = learnerCount === 0 ? messages.nobody : messages.standingText(formats.number(learnerCount));
  pages.text('P', text, { size: 10 }, 12);
  const late = overdue.reduce((sum, { overdueLearners }) => sum + overdueLearners, 0);
  printNumbers(pages, [
    [messages.learners, formats.number(learnerCount)],
    ...(now.training ? [[messages.finished, formatTraining(now, print)] as const] : []),
    ...(now.policies ? [[messages.signed, formatPolicies(now, print)] as const] : []),
    [messages.overduePeople, formats.number(late)],
    [messages.risk, formatRisk(now, print)],
  ]);
  if (departments.length === 0) return;
  pages.y += 10;
  pages.text('H2', messages.departments, { size: 12, isBold: true }, 6);
  const largest = departments.toSorted((a, b) => b.learnerCount - a.learnerCount);
  const shown = largest.slice(0, Math.min(largest.length, pages.rowsLeft(ROW) - 3));
  const columns = [
    ...(now.training ? [{ name: messages.finished, read: readTraining, color: COLORS.first }] : []),
    ...(now.policies ? [{ name: messages.signed, read: readPolicies, color: COLORS.second }] : []),
  ];
  const xOf = (index: number) => 290 + index * 128;
  const nameAt = { ...SMALL, x: LEFT, width: 170 };
  const countAt = { ...SMALL, x: 228, width: 44, align: 'right' } as const;
  const head = columns.map(({ name }, index) => ({ ...HEAD, text: name, x: xOf(index), width: 120 }));
  const rows = shown.map((row): TableRow => {
    const shares = columns.map(({ read }) => read(row));
    return {
      cells: [
        { ...nameAt, text: row.name ?? messages.noDepartment },
        { ...countAt, text: formats.number(row.learnerCount) },
        ...shares.map((share, index) => ({
          ...SMALL,
          text: share === null ? '–' : formats.percent(share),
          ...{ x: xOf(index) + 76, width: 52 },
        })),
      ],
      decorate: (top) =>
        shares.forEach((share, index) => pages.bar(xOf(index), top + 2, 70, share, columns[index]!.color)),
    };
  });
  const title = { ...HEAD, text: messages.area, x: LEFT, width: 160 };
  const count = { ...HEAD, text: messages.learners, x: 208, width: 64, align: 'right' } as const;
  pages.table([{ isHead: true, height: 30, cells: [title, count, ...head] }, ...rows], ROW);
  printMore(print, largest.length - shown.length);
}

function printNumbers(pages: BoardPages, all: readonly (readonly [name: string, value: string])[]): void {
  const rows = all.map(([name, value]): TableRow => ({
    cells: [
      { text: name, x: LEFT, size: 10, width: 290, maxLines: 1 },
      { text: value, x: LEFT + 300, size: 12, isBold: true, width: WIDTH - 300, maxLines: 1 },
    ],
  }));
  pages.table(rows, 22);
}

function printMore({ pages, messages, formats }: Print, count: number): void {
  if (count > 0) pages.text('P', messages.more(formats.number(count)), { size: 9, color: COLORS.quiet }, 0);
}

function printChange(print: Print): void {
  const { pages, figures, messages, formats } = print;
  const { now, before } = figures;
  heading(print, messages.changed);
  pages.text('P', messages.changedText(formats.dayBefore(figures.from)), { size: 10 }, 12);
  const points = (a: number | null, b: number | null, scale: number) =>
    a === null || b === null ? '–' : messages.points(formats.change((b - a) * scale));
  const share = (value: number | null) => (value === null ? '–' : formats.percent(value));
  const row = (name: string, [a, b]: readonly (number | null)[]) => [name, share(a!), share(b!), points(a!, b!, 100)];
  const rate = (name: 'clickRate' | 'reportRate') =>
    [before, now].map(({ simulations }) => simulations?.[name] ?? null);
  const lines = [
    [
      messages.learners,
      ...[before, now].map(({ learnerCount }) => formats.number(learnerCount)),
      formats.change(now.learnerCount - before.learnerCount),
    ],
    ...(now.training ? [row(messages.finished, [before, now].map(readTraining))] : []),
    ...(now.policies ? [row(messages.signed, [before, now].map(readPolicies))] : []),
    ...(now.simulations ? [row(messages.clicked, rate('clickRate')), row(messages.reported, rate('reportRate'))] : []),
    [
      messages.risk,
      formatRisk(before, print),
      formatRisk(now, print),
      points(before.averageRiskScore, now.averageRiskScore, 1),
    ],
  ];
  const columns = [
    { x: LEFT, width: 215 },
    { x: 280, width: 80 },
    { x: 368, width: 80 },
    { x: 456, width: 85 },
  ];
  const head = [messages.measure, messages.before, messages.now, messages.change];
  pages.table(
    [
      { isHead: true, height: 20, cells: head.map((text, index) => ({ ...HEAD, ...columns[index]!, text })) },
      ...lines.map((cells) => ({
        cells: cells.map((text, index) => ({ ...columns[index]!, text, size: 9, maxLines: 2, isBold: index === 2 })),
      })),
    ],
    29,
  );
  pages.y += 10;
  pages.text('H2', messages.riskOverTime, { size: 12, isBold: true }, 8);
  const { risk } = figures;
  if (risk.length === 0) return pages.text('P', messages.noRisk, { size: 10 }, 0);
  const alt = messages.riskPicture(formats.score(risk[0]!.averageScore), formats.score(risk.at(-1)!.averageScore));
  pages.text('P', alt, { size: 10 }, 10);
  pages.figure(alt, 220, (top) => drawRisk(pages, risk, formats, top));
}

function printOverdue(print: Print): void {
  const { pages, figures, messages, formats } = print;
  heading(print, messages.overdue);
  const sum = (read: (row: Schemas['OverdueFigures']) => number) =>
    figures.overdue.reduce((all, row) => all + read(row), 0);
  const late = sum(({ overdueLearners }) => overdueLearners);
  const open = sum(({ openLearners }) => openLearners);
  if (late === 0) return pages.text('P', messages.nothingOverdue, { size: 10 }, 0);
  pages.text('P', messages.overdueText(formats.number(late), formats.number(open)), { size: 10 }, 12);
  const all = figures.overdue
    .filter(({ overdueLearners }) => overdueLearners > 0)
    .toSorted((a, b) => b.overdueLearners - a.overdueLearners);
  const shown = all.slice(0, Math.min(all.length, pages.rowsLeft(ROW) - 3));
  const head = [
    { ...HEAD, text: messages.area, x: LEFT, width: 200 },
    { ...HEAD, text: messages.overduePeople, x: 270, width: 270 },
  ];
  const rows = shown.map(({ name, overdueLearners, openLearners }): TableRow => ({
    cells: [
      { ...SMALL, text: name ?? messages.noDepartment, x: LEFT, width: 205 },
      {
        ...SMALL,
        text: messages.ofOpen(formats.number(overdueLearners), formats.number(openLearners)),
        x: 430,
        width: 111,
      },
    ],
    decorate: (top) => pages.bar(270, top + 2, 150, overdueLearners / openLearners, COLORS.second),
  }));
  pages.table([{ isHead: true, cells: head }, ...rows], ROW);
  printMore(print, all.length - shown.length);
}

function printNext(print: Print): void {
  const { pages, figures, messages, formats } = print;
  heading(print, messages.next);
  const { due } = figures;
  if (due.length === 0) return pages.text('P', messages.nothingDue, { size: 10 }, 0);
  pages.text('P', messages.nextText, { size: 10 }, 12);
  const shown = due.slice(0, Math.min(due.length, pages.rowsLeft(ROW) - 3));
  const max = Math.max(...shown.map(({ learnerCount }) => learnerCount));
  const columns = [
    { x: LEFT, width: 100 },
    { x: 160, width: 140 },
    { x: 310, width: 120 },
    { x: 505, width: 36, align: 'right' as const },
  ];
  const head = [messages.lastDay, messages.task, messages.campaign, messages.learners];
  const rows = shown.map(({ dueOn, itemName, campaignName, learnerCount }): TableRow => ({
    cells: [formats.day(dueOn), itemName, campaignName, formats.number(learnerCount)].map((text, index) => ({
      ...SMALL,
      ...columns[index]!,
      text,
    })),
    decorate: (top) => pages.bar(438, top + 2, 64, learnerCount / max, COLORS.first),
  }));
  const titles = head.map((text, index) => ({
    ...HEAD,
    ...columns[index]!,
    ...(index === 3 && { x: 438, width: 103 }),
    text,
  }));
  pages.table([{ isHead: true, height: 20, cells: titles }, ...rows], ROW);
  printMore(print, due.length - shown.length);
}

type Counted = Pick<Schemas['DepartmentReportRow'], 'training' | 'policies'>;

function readTraining({ training }: Counted): number | null {
  return training === null || training.enrollmentCount === 0 ? null : training.finishedCount / training.enrollmentCount;
}

function readPolicies({ policies }: Counted): number | null {
  return policies === null || policies.assignedCount === 0 ? null : policies.signedCount / policies.assignedCount;
}

function formatTraining(company: Counted, { messages, formats }: Print): string {
  const share = readTraining(company);
  return share === null ? messages.none : formats.percent(share);
}

function formatPolicies(company: Counted, { messages, formats }: Print): string {
  const share = readPolicies(company);
  return share === null ? messages.none : formats.percent(share);
}

function formatRisk(
  { averageRiskScore, riskScoreLevel }: Schemas['GroupReportCompany'],
  { messages, formats }: Print,
): string {
  if (averageRiskScore === null || riskScoreLevel === null) return messages.hidden;
  return `${formats.score(averageRiskScore)} (${messages.levels[riskScoreLevel]})`;
}
