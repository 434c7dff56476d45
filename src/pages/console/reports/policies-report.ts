import { isOffered } from '../admin.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { html } from '../../../http/html/html.ts';
import { barChart } from '../overview/charts/bar-chart.ts';
import { given, type Report, type ReportReader, runFor } from './report.ts';
import type { ReportQuery } from './report-query.ts';
import { reportsMessages } from './reports-messages.ts';

/** Maximum number of policies in the picture; low, because reading the counts of each takes a call. */
const MAX_DRAWN = 6;

const toInput = ({ policyId, asOf }: ReportQuery) => given({ outcome: 'unsigned', policyId, asOf });

/** The report on outstanding signatures. */
export const policiesReport: Report = {
  needs: 'getPolicyResultsReport',
  filters: ['policyId', 'asOf'],
  call: (query) => ({ operationId: 'getPolicyResultsReport', input: toInput(query) }),
  async read(reader) {
    const { runs, admin, query, formats } = reader;
    const { columns, policies: texts, noDepartment } = reportsMessages[admin.language];
    const canList = isOffered(admin, 'listPolicies') && admin.caller.isManager !== true;
    const list = canList ? await runs.first('listPolicies', admin.caller) : undefined;
    const live = (list?.items ?? []).filter(({ isLive }) => isLive);
    const page = await runs.page('getPolicyResultsReport', admin.caller, toInput(query), query.cursor);
    return {
      text: page.items.length === 0 ? texts.allSigned : texts.text,
      pictures: query.asOf === undefined && live.length > 0 && (await draw(reader, live)),
      columns: [columns.name, columns.department, columns.policy, columns.askedOn, columns.remindedOn],
      rows: page.items.map(({ learner, policy, askedAt, remindedAt }) => [
        html`<bdi>${learner.name}</bdi>`,
        learner.department ?? noDepartment,
        policy.name,
        askedAt === null ? '–' : formats.day(askedAt),
        remindedAt === null ? '–' : formats.day(remindedAt),
      ]),
      nextCursor: page.nextCursor,
      policies: live,
    };
  },
};

/** Draws the share of signatures of the chosen policy, or of the first policies. */
async function draw(reader: ReportReader, live: readonly Schemas['PolicyListItem'][]) {
  const { admin, query, formats } = reader;
  const { policies: texts, none } = reportsMessages[admin.language];
  const { policyId } = query;
  const drawn = live.filter(({ id }) => policyId === undefined || id === policyId).slice(0, MAX_DRAWN);
  if (drawn.length === 0) return false;
  const policies = await Promise.all(drawn.map(({ id }) => runFor(reader, 'getPolicy', { policyId: id })));
  const bars = policies.map(({ name, signedCount, assignedCount }) => ({
    name,
    bars: [
      {
        color: 1 as const,
        share: assignedCount === 0 ? null : signedCount / assignedCount,
        text: assignedCount === 0 ? none : formats.percent(signedCount, assignedCount),
      },
    ],
  }));
  return html`<h2>${texts.signed}</h2>
    ${barChart(texts.signed, bars)}`;
}
