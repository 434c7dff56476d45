import { columnChart } from '../overview/charts/column-chart.ts';
import { given, type Report } from './report.ts';
import type { ReportQuery } from './report-query.ts';
import { reportsMessages } from './reports-messages.ts';

/** Maximum number of days in the picture. */
const MAX_DRAWN = 12;
/** Number of labelled days on the axis; low, because columns are narrow. */
const LABELLED = 4;

const toInput = ({ from, to }: ReportQuery) => given({ from, to });

/** The report on due tasks, by day, campaign, and course or policy. */
export const dueReport: Report = {
  needs: 'getDueReport',
  filters: ['from', 'to'],
  call: (query) => ({ operationId: 'getDueReport', input: toInput(query) }),
  async read({ runs, admin, query, formats }) {
    const { columns, due, kinds } = reportsMessages[admin.language];
    const { items, nextCursor } = await runs.page('getDueReport', admin.caller, toInput(query), query.cursor);
    const [next] = items;
    const countByDay = new Map<string, number>();
    for (const { dueOn, learnerCount } of items) countByDay.set(dueOn, (countByDay.get(dueOn) ?? 0) + learnerCount);
    const days = [...countByDay].slice(0, MAX_DRAWN);
    const step = Math.ceil(days.length / LABELLED);
    const bars = days.map(([day, value], index) => {
      return { key: day, value, tick: index % step === 0 ? formats.shortDay(new Date(day)) : null };
    });
    return {
      text: next ? due.text(formats.day(next.dueOn)) : due.none,
      pictures: days.length > 0 && columnChart(due.chart, bars, formats.number),
      columns: [columns.dueOn, columns.task, columns.campaign, { name: columns.learners, isNumber: true }],
      rows: items.map(({ dueOn, item, itemName, campaignName, learnerCount }) => [
        formats.day(dueOn),
        `${kinds[item.type]}: ${itemName}`,
        campaignName,
        formats.number(learnerCount),
      ]),
      nextCursor,
    };
  },
};
