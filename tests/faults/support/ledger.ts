import type { World } from './world.ts';

/**
 * The requested changes to a learner and their acknowledgement. Without a response both outcomes are valid, but no
 * partial one.
 */
interface Learner {
  acknowledged: boolean;
  /** First names that can be stored: the acknowledged one, and those of unanswered changes. */
  names: Set<string>;
  deleted: 'no' | 'maybe' | 'yes';
}

/** Learners created or enrolled in one call. */
interface Batch {
  emails: string[];
  acknowledged: boolean;
}

export interface Verdict {
  acknowledged: number;
  lost: string[];
  torn: string[];
  doubled: string[];
}

/** Records the responses to clients and compares the database with them. */
export class Ledger {
  readonly #learners = new Map<string, Learner>();
  readonly #creations: Batch[] = [];
  readonly #enrollments: Batch[] = [];

  created(emails: string[], name: string, acknowledged: boolean): void {
    this.#creations.push({ emails, acknowledged });
    for (const email of emails) this.#learners.set(email, { acknowledged, names: new Set([name]), deleted: 'no' });
  }

  renamed(email: string, name: string, acknowledged: boolean): void {
    const { names } = this.#learners.get(email)!;
    if (acknowledged) names.clear();
    names.add(name);
  }

  deleted(email: string, acknowledged: boolean): void {
    this.#learners.get(email)!.deleted = acknowledged ? 'yes' : 'maybe';
  }

  enrolled(emails: string[], acknowledged: boolean): void {
    this.#enrollments.push({ emails, acknowledged });
  }

  /** Judges the database; call it only after the last change. */
  async judge(world: World): Promise<Verdict> {
    const verdict: Verdict = { acknowledged: this.#acknowledged(), lost: [], torn: [], doubled: [] };
    const rows = await world.query<Row>(ROWS);
    const byEmail = Map.groupBy(rows, ({ email }) => email);
    for (const [email, learner] of this.#learners)
      this.#judgeLearner(verdict, email, learner, byEmail.get(email) ?? []);
    const isThere = (email: string) => byEmail.has(email) || this.#learners.get(email)!.deleted !== 'no';
    for (const batch of this.#creations) judgeBatch(verdict, batch, isThere, 'creation');
    const isEnrolled = (email: string) => byEmail.get(email)?.[0]?.enrolled === true;
    for (const batch of this.#enrollments) judgeBatch(verdict, batch, isEnrolled, 'enrolment');
    for (const { email, enrolled, messages } of rows) {
      if (enrolled && messages === 0) verdict.torn.push(`${email} is enrolled without a message`);
      if (messages > 1) verdict.doubled.push(`${email} has ${messages} messages about one enrolment`);
    }
    await judgeInvariants(world, verdict);
    return verdict;
  }

  #acknowledged(): number {
    const batches = [...this.#creations, ...this.#enrollments].filter(({ acknowledged }) => acknowledged);
    return batches.reduce((sum, { emails }) => sum + emails.length, 0);
  }

  #judgeLearner({ lost, doubled }: Verdict, email: string, learner: Learner, rows: Row[]): void {
    const { acknowledged, names, deleted } = learner;
    if (rows.length > 1) doubled.push(`${email} is there ${rows.length} times`);
    if (acknowledged && deleted === 'no' && rows.length === 0) lost.push(`${email} is gone`);
    if (deleted === 'yes' && rows.length > 0) lost.push(`${email} is back after its deletion`);
    const [row] = rows;
    if (row && !names.has(row.name)) lost.push(`${email} is called ${row.name}, not ${[...names].join(' or ')}`);
  }
}

interface Row {
  email: string;
  name: string;
  enrolled: boolean;
  messages: number;
}

const ROWS = `
  select l.email, l.first_name as name,
         exists (select from enrollments e where e.company_id = l.company_id and e.learner_id = l.id) as enrolled,
         (select count(*)::integer from messages m where m.company_id = l.company_id and m.learner_id = l.id) as messages
    from learners l`;

function judgeBatch({ lost, torn }: Verdict, batch: Batch, isDone: (email: string) => boolean, what: string): void {
  const { emails, acknowledged } = batch;
  const missing = emails.filter((email) => !isDone(email));
  if (missing.length === 0) return;
  if (acknowledged) lost.push(...missing.map((email) => `the ${what} of ${email}`));
  else if (missing.length < emails.length)
    torn.push(`of one ${what}, ${missing.length} of ${emails.length} are missing`);
}

async function judgeInvariants(world: World, { torn }: Verdict): Promise<void> {
  const miscounted = await world.number(
    `select count(*) from company_seats s where active <>
       (select count(*) from learners l where l.company_id = s.company_id and not l.inactive)`,
  );
  if (miscounted > 0) torn.push(`the seats of ${miscounted} companies are miscounted`);
  const forgotten = await world.number(
    `select count(*) from messages m where status = 'queued' and not exists (
       select from graphile_worker._private_jobs j where j.payload ->> 'messageId' = m.id::text)`,
  );
  if (forgotten > 0) torn.push(`${forgotten} queued messages have no job`);
  const unequal = await world.number(UNEQUAL);
  if (unequal > 0) torn.push(`${unequal} learners are there without an entry in the audit log, or the other way round`);
}

/** Learners of changing clients that differ from those created and not deleted according to the audit log. */
const UNEQUAL = `
  with named as (
    select a.operation, jsonb_array_elements_text(t -> 'ids') as id
      from audit_log a cross join jsonb_array_elements(a.targets) as t
     where t ->> 'field' in ('id', 'created/learnerId', 'learnerId')
  ), entered as (
    select id from named where operation in ('createLearner', 'createLearners')
    except select id from named where operation = 'deleteLearner'
  ), present as (
    select id::text from learners where email like '%@changes.test'
  ), unequal as (
    (select id from present except select id from entered) union all (select id from entered except select id from present)
  )
  select count(*) from unequal`;
