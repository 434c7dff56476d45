import type { Schemas } from '../../../contract/contract.ts';
import { type Html } from '../../../http/html/html.ts';
import { columnChart } from './charts/column-chart.ts';
import { figure, type SameCall } from './figure-frame.ts';
import { type BreachesByMonth, breachesByMonth } from './figure-rules.ts';
import type { Shown } from './figure-shown.ts';
import { type FirstRows, LIMITS } from './figures.ts';

interface Breaches {
  services: FirstRows<Schemas['BreachedService']>;
  coverage: Schemas['BreachCoverage'];
}

/** Exposed accounts by the month of the breach. */
export function breachFigure({ services, coverage }: Breaches, shown: Shown): Html {
  const { messages, formats, child, today } = shown;
  const { title, none, unwatched, head, caption } = messages.breaches;
  const call: SameCall = { operationId: 'listBreachServices', query: { hasAffectedAccounts: 'true', ...child } };
  const bare = (text: string) => figure(messages, { title, text, pictures: null, table: null, call });
  if (coverage.watchedDomains.length === 0) return bare(unwatched);
  const byMonth = breachesByMonth(services.rows, today);
  const text = [sentence(byMonth, shown), ...warnings({ services, coverage }, shown)].join(' ');
  if (services.rows.length === 0) return bare([none, ...warnings({ services, coverage }, shown)].join(' '));
  const columns = byMonth.months.map(({ month, accountCount }, index) => {
    return { key: month, value: accountCount, tick: index % 6 === 0 ? formats.shortMonth(month) : null };
  });
  const months = byMonth.months.filter(({ services: names }) => names.length > 0).toReversed();
  return figure(messages, {
    title,
    text,
    pictures: months.length > 0 && columnChart(text, columns, formats.number),
    table: {
      caption,
      head,
      rows: months.map((one) => [formats.month(one.month), one.services.join(', '), formats.number(one.accountCount)]),
    },
    call,
  });
}

function sentence({ months, earlierCount, undatedCount }: BreachesByMonth, { messages, formats }: Shown): string {
  const recent = months.reduce((sum, { accountCount }) => sum + accountCount, 0);
  const older = earlierCount + undatedCount;
  const { text, earlier } = messages.breaches;
  const sentences = [text(recent, formats.number(recent)), older > 0 && earlier(older, formats.number(older))];
  return sentences.filter(Boolean).join(' ');
}

function warnings({ services, coverage }: Breaches, { messages }: Shown): string[] {
  const { unavailableDomains } = coverage;
  return [
    ...(services.isCut ? [messages.breaches.cut(LIMITS.breaches)] : []),
    ...(unavailableDomains.length > 0 ? [messages.breaches.unavailable(unavailableDomains.join(', '))] : []),
  ];
}
