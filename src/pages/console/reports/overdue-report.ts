import { isOffered } from '../admin.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { html } from '../../../http/html/html.ts';
import { barChart } from '../overview/charts/bar-chart.ts';
import type { Cell } from '../../shared/parts/table.ts';
import { type Report, type ReportReader } from './report.ts';
import type { Part } from './report-query.ts';
import { reportsMessages } from './reports-messages.ts';

type Figures = Schemas['OverdueFigures'];

/** Path of the page with the people behind a row of the report. */
export const OVERDUE_PEOPLE_PATH = '/reports/overdue/people';
const MAX_DRAWN = 10;
/** The parameter of `listAssignments` that selects the people of a row. */
const FILTER_OF_PART: Record<Part, 'department' | 'groupId' | 'managerId'> = {
  department: 'department',
  group: 'groupId',
  manager: 'managerId',
};

/** The report on overdue people, by department, group or manager, with links to the people. */
export const overdueReport: Report = {
  needs: 'getOverdueReport',
  filters: ['by'],
  call: ({ by = 'department' }) => ({ operationId: 'getOverdueReport', input: { by } }),
  async read(reader) {
    const { runs, admin, query, formats } = reader;
    const { by = 'department', cursor } = query;
    const { overdue, nothingOverdue, noPart, columns, overdueByArea } = reportsMessages[admin.language];
    const { items, nextCursor } = await runs.page('getOverdueReport', admin.caller, { by }, cursor);
    const nameOf = ({ name }: Figures) => name ?? noPart;
    const drawn = items
      .filter(({ overdueLearners }) => overdueLearners > 0)
      .toSorted((a, b) => b.overdueLearners - a.overdueLearners)
      .slice(0, MAX_DRAWN);
    const [most] = drawn;
    const bars = drawn.map((row) => ({
      name: nameOf(row),
      bars: [
        {
          color: 2 as const,
          share: row.overdueLearners / row.openLearners,
          text: formats.number(row.overdueLearners),
        },
      ],
    }));
    const text = most
      ? html`${overdue.before}<bdi>${nameOf(most)}</bdi>${overdue.after(
          formats.number(most.overdueLearners),
          formats.number(most.openLearners),
        )}`
      : nothingOverdue;
    return {
      text,
      pictures: drawn.length > 0 && html`${barChart(overdueByArea, bars)}`,
      columns: [
        columns.part,
        ...[columns.overduePeople, columns.overdueTasks, columns.openPeople, columns.openTasks].map(asNumber),
      ],
      rows: items.map((row) => [linkToPeople(row, reader), ...toCounts(row).map(formats.number)]),
      nextCursor,
    };
  },
};

const asNumber = (name: string) => ({ name, isNumber: true });

function toCounts({ overdueLearners, overdueAssignments, openLearners, openAssignments }: Figures): number[] {
  return [overdueLearners, overdueAssignments, openLearners, openAssignments];
}

/** Renders the name of a row as a link to its people. People without a department, group or manager have no filter. */
function linkToPeople(
  { id, name, overdueLearners }: Figures,
  { admin, query: { by = 'department' } }: ReportReader,
): Cell {
  const value = by === 'department' ? name : id;
  const { noPart } = reportsMessages[admin.language];
  if (value === null || overdueLearners === 0 || !isOffered(admin, 'listAssignments')) return name ?? noPart;
  const search = new URLSearchParams({ [FILTER_OF_PART[by]]: value }).toString();
  return html`<a href=${`/console${OVERDUE_PEOPLE_PATH}?${search}`}>${name ?? noPart}</a>`;
}
