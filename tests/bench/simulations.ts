import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import { type BenchDatabase, ENROLL_API_KEY, ENROLL_COMPANY_ID, ENROLLED_LEARNERS } from './dataset.ts';
import { median, startContestant, stopContestant, timeGet, timeInPsql } from './processes.ts';
import type { Figure } from './run.ts';

const ROUNDS = 5;
const SIMULATIONS = 500;

/** Measures GET /simulations/metrics over 5,000,000 recipients against its bare aggregate. */
export async function benchSimulations({ ownerUrl, serviceUrl }: BenchDatabase, folder: string): Promise<Figure[]> {
  await insertSimulations(ownerUrl);
  const script = join(folder, 'metrics.sql');
  await writeFile(script, AGGREGATE);
  const ours = await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' });
  const metrics = () => timeGet(`${ours.url}/simulations/metrics`, ENROLL_API_KEY.key);
  const ratios: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const aggregated = await timeInPsql(ownerUrl, script);
    const answered = await metrics();
    if (round >= 0) ratios.push(answered / aggregated);
  }
  await stopContestant(ours);
  const recipients = ENROLLED_LEARNERS.toLocaleString('en');
  return [
    {
      what: `\`GET /simulations/metrics\` over ${SIMULATIONS} simulations of ${recipients} recipients`,
      against: 'the bare aggregate in `psql`',
      unit: 'x',
      target: 3,
      least: false,
      value: median(ratios),
    },
  ];
}

const AGGREGATE = `\\timing on
\\o /dev/null
select simulation_id, count(*), count(sent_at), count(opened_at), count(visited_at), count(compromised_at),
       count(reported_at)
  from simulation_recipients where company_id = '${ENROLL_COMPANY_ID}' group by simulation_id;
`;

async function insertSimulations(ownerUrl: string): Promise<void> {
  const owner = openOwnerDatabase(ownerUrl);
  await owner.raw(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date, end_date)
     select ?, new_id(), 'Simulation ' || n, 'completed', 'email', '2026-01-05', '2026-01-19'
       from generate_series(1, ?::integer) as n`,
    [ENROLL_COMPANY_ID, SIMULATIONS],
  );
  // Disables the checks of each row; without them, the insertion of five million rows takes a minute.
  await owner.raw(`
    alter table simulation_recipients disable trigger user,
      drop constraint simulation_recipients_learner, drop constraint simulation_recipients_simulation`);
  await owner.raw(
    `insert into simulation_recipients (company_id, simulation_id, learner_id, id, scheduled_at, sent_at, opened_at,
                                        visited_at, compromised_at, reported_at)
     select s.company_id, s.id, l.id, gen_random_uuid(), t, t, case when n % 3 > 0 then t end,
            case when n % 6 = 1 then t end, case when n % 18 = 1 then t end, case when n % 5 = 0 then t end
       from simulations s
       join (select *, row_number() over (order by id) as n from learners) l on l.company_id = s.company_id
      cross join (values (timestamptz '2026-01-06 09:00+00')) as at (t)
      where s.company_id = ? order by s.id, l.id`,
    [ENROLL_COMPANY_ID],
  );
  await owner.raw('alter table simulation_recipients enable trigger user');
  await owner.raw('vacuum analyze simulations, simulation_recipients');
  await owner.destroy();
}
