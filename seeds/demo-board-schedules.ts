import type { Knex } from 'knex';
import { companyId, findCompany, fixedId, numberIn } from './demo-ids.ts';

const CREATED_AT = '2025-02-10T09:00:00.000Z';
const RECIPIENTS = [
  { name: 'Grace Hopper', local: 'grace.hopper', unsubscribed_at: null },
  { name: 'Edith Clarke', local: 'edith.clarke', unsubscribed_at: '2026-04-05T09:12:00.000Z' },
];

/** Stores a schedule of the board report with two recipients, and the record of its last email. */
export async function insertBoardSchedule(transaction: Knex.Transaction): Promise<void> {
  const company = findCompany('tenant');
  const company_id = companyId(company);
  const idOf = (number: number) => fixedId(Date.parse(CREATED_AT), 'safeguard', numberIn(company, number));
  const schedule_id = idOf(4);
  await transaction('board_schedules').insert({
    ...{ company_id, id: schedule_id, name: 'Quarterly report to the board', language: 'en', period: 'quarter' },
    ...{ day: 5, month: 1, next_on: nextQuarter(), created_at: CREATED_AT, updated_at: CREATED_AT },
  });
  await transaction('board_recipients').insert(
    RECIPIENTS.map(({ name, local, unsubscribed_at }, index) => ({
      ...{ company_id, id: idOf(5 + index), schedule_id, name, email: `${local}@${company.domain}`, unsubscribed_at },
    })),
  );
  const at = '2026-04-05T07:10:00.000Z';
  const report = { company_id, id: idOf(8), schedule_id, due_on: '2026-04-05', created_at: at, drawn_at: at };
  await transaction('board_reports').insert({ ...report, period_from: '2026-01-06', period_to: '2026-04-05' });
  await transaction('board_deliveries').insert({
    ...{ company_id, id: idOf(7), schedule_id, report_id: report.id, recipient_id: idOf(5), name: 'Grace Hopper' },
    ...{
      email: `grace.hopper@${company.domain}`,
      status: 'sent',
      created_at: at,
      settled_at: '2026-04-05T07:10:04.000Z',
    },
  });
}

/** Returns the fifth day of the next quarter after today. */
function nextQuarter(): string {
  const now = new Date();
  const month = Math.floor(now.getUTCMonth() / 3) * 3 + 3;
  return new Date(Date.UTC(now.getUTCFullYear(), month, 5)).toISOString().slice(0, 10);
}
