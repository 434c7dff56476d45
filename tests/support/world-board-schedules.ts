import type { Knex } from 'knex';
import { companies, type CompanyName, id } from './world.ts';

/** Returns the id of a company's schedule of the board report. */
export function boardScheduleId(company: CompanyName): string {
  return boardId(company, 0);
}

/** Returns the id of the schedule (0), its recipient (1), its report (2) or the email with the report (3). */
function boardId(company: CompanyName, part: 0 | 1 | 2 | 3): string {
  return id('e', 0xb000 + part * 0x100 + Object.keys(companies).indexOf(company));
}

/** Inserts a paused schedule of the board report with one recipient, whose last email was sent. */
export async function createBoardSchedule(knex: Knex, company: CompanyName): Promise<void> {
  const company_id = companies[company];
  const schedule_id = boardScheduleId(company);
  await knex('board_schedules').insert({
    ...{ company_id, id: schedule_id, name: `Board of ${company}`, language: 'en', period: 'quarter' },
    ...{ day: 5, month: 1, is_paused: true, next_on: '2026-07-05' },
  });
  const recipient = { name: `Chair of ${company}`, email: `chair@${company}.test` };
  const recipient_id = boardId(company, 1);
  await knex('board_recipients').insert({ company_id, id: recipient_id, schedule_id, ...recipient });
  const at = '2026-04-05T07:10:00.000Z';
  const report_id = boardId(company, 2);
  await knex('board_reports').insert({
    ...{ company_id, id: report_id, schedule_id, due_on: '2026-04-05', period_from: '2026-01-06' },
    ...{ period_to: '2026-04-05', created_at: at, drawn_at: at },
  });
  await knex('board_deliveries').insert({
    ...{ company_id, id: boardId(company, 3), schedule_id, report_id, recipient_id, ...recipient },
    ...{ status: 'sent', created_at: at, settled_at: at },
  });
}
