import type { Schemas } from '../../../contract/contract.ts';
import type { RowsWithMeta } from '../../../db/rows.ts';
import type { Html } from '../../../http/html/html.ts';
import { columnChart } from '../overview/charts/column-chart.ts';
import type { ApiRequest } from '../../shared/parts/api-calls.ts';
import { figure } from '../overview/figure-frame.ts';
import { type BreachesByMonth, breachesByMonth } from './breach-figure-rules.ts';
import { type FirstRows, type OverviewFigure, readFirstRows, run, type Shown } from '../overview/figures.ts';
import { breachFigureMessages } from './breach-figure-messages.ts';

/** Maximum number of breaches to read; low, because each row holds all accounts of a breach. */
const MAX_BREACHES = 50;

interface Breaches {
  services: FirstRows<Schemas['BreachedService']>;
  coverage: Schemas['BreachCoverage'];
}

/** Exposed accounts by the month of the breach. */
export const breachFigure: OverviewFigure<Breaches> = {
  title: (language) => breachFigureMessages[language].title,
  async read(reader, child) {
    const list = await run(reader, 'listBreachServices', { ...child, hasAffectedAccounts: true });
    const { meta } = list as RowsWithMeta<unknown, Pick<Schemas['BreachedServiceListResponse'], 'coverage'>>;
    return { services: await readFirstRows(list, MAX_BREACHES), coverage: meta.coverage };
  },
  show: showBreaches,
};

function showBreaches({ services, coverage }: Breaches, shown: Shown): Html {
  const { language, formats, child, today } = shown;
  const { title, none, unwatched, head, caption } = breachFigureMessages[language];
  const call: ApiRequest = { operationId: 'listBreachServices', query: { hasAffectedAccounts: 'true', ...child } };
  const bare = (text: string) => figure(language, { title, text, pictures: null, table: null, call });
  if (coverage.watchedDomains.length === 0) return bare(unwatched);
  const byMonth = breachesByMonth(services.rows, today);
  const text = [sentence(byMonth, shown), ...warnings({ services, coverage }, shown)].join(' ');
  if (services.rows.length === 0) return bare([none, ...warnings({ services, coverage }, shown)].join(' '));
  const columns = byMonth.months.map(({ month, accountCount }, index) => {
    return { key: month, value: accountCount, tick: index % 6 === 0 ? formats.shortMonth(month) : null };
  });
  const months = byMonth.months.filter(({ services: names }) => names.length > 0).toReversed();
  return figure(language, {
    title,
    text,
    pictures: months.length > 0 && columnChart(text, columns, formats.number),
    table: {
      caption,
      columns: head,
      rows: months.map((one) => [formats.month(one.month), one.services.join(', '), formats.number(one.accountCount)]),
    },
    call,
  });
}

function sentence({ months, earlierCount, undatedCount }: BreachesByMonth, { language, formats }: Shown): string {
  const recent = months.reduce((sum, { accountCount }) => sum + accountCount, 0);
  const older = earlierCount + undatedCount;
  const { text, earlier } = breachFigureMessages[language];
  const sentences = [text(recent, formats.number(recent)), older > 0 && earlier(older, formats.number(older))];
  return sentences.filter(Boolean).join(' ');
}

function warnings({ services, coverage }: Breaches, { language }: Shown): string[] {
  const { cut, unavailable } = breachFigureMessages[language];
  const { unavailableDomains } = coverage;
  return [
    ...(services.isCut ? [cut(MAX_BREACHES)] : []),
    ...(unavailableDomains.length > 0 ? [unavailable(unavailableDomains.join(', '))] : []),
  ];
}
