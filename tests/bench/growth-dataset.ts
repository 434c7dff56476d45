import type { Knex } from 'knex';

const FINISHED = { enrolled: '2026-01-05', finished: '2026-01-07' };

/** Gives each learner of a company two finished courses and a message from one simulation. */
export async function grow(owner: Knex, companyId: string): Promise<void> {
  await owner.raw(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date, start_date, finish_date,
                              score, passed)
     select l.company_id, l.id, c.id, c.owner_id, ?, ?, ?, 92.5, true
       from learners l cross join (select id, owner_id from courses order by id limit 2) as c
      where l.company_id = ? order by l.id, c.id`,
    [FINISHED.enrolled, FINISHED.enrolled, FINISHED.finished, companyId],
  );
  await owner.raw(
    `with simulation as (
       insert into simulations (company_id, id, name, status, delivery_method, start_date)
       values (?, new_id(), 'Simulation', 'completed', 'email', '2026-06-01') returning id)
     insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at, sent_at)
     select l.company_id, s.id, l.id, '2026-06-02', '2026-06-02' from learners l cross join simulation s
      where l.company_id = ?`,
    [companyId, companyId],
  );
}

/** Adds companies with 20 learners each. */
export async function growCompanies(owner: Knex, count: number): Promise<void> {
  await owner.raw(
    `insert into companies (id, name, account_type, plan_name)
     select ('0192a3b4-0000-7000-8000-f' || lpad(to_hex(n), 11, '0'))::uuid, 'Many ' || n, 'tenant', 'business'
       from generate_series(1, ?::integer) as n`,
    [count],
  );
  await owner.raw(
    `insert into learners (company_id, id, email, email_key, first_name, last_name)
     select c.id, gen_random_uuid(), 'learner' || n || '@many.test', 'learner' || n || '@many.test', 'First', 'Last'
       from companies c cross join generate_series(1, 20) as n where c.name like 'Many %'`,
  );
  await owner.raw('vacuum analyze');
}
