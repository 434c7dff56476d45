import { type Sql, sql } from '../../db/sql.ts';
import { type Change, change, type Parameters, statement } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { type LearnerMessageKind, learnerMessages } from '../../mail/outbox.ts';
import { lockLearnerStates } from './learner-locks.ts';
import { type AskedPairs, type PairOutcome, pairOutcome, partsOf, requireFewPairs } from './learner-pairs.ts';
import {
  type Failure,
  type FailureCodes,
  type Judge,
  judgeGivable,
  judgeKnown,
  judgePairs,
  type PairFacts,
  type TargetsOfLearners,
} from './pair-rules.ts';

/** What is special about one kind of pairs. In its SQL a row of the table is called `r`. */
interface PairDeclaration<Target extends string, Code extends string> {
  /** The names of its statements begin with it. */
  name: string;
  /** How answers call the id of a target, such as `courseId`. */
  target: Target;
  table: Sql;
  /** The column of the table with the id of the target. */
  column: Sql;
  /** The learner has the target. */
  isPair: Sql;
  /** The learner has finished or signed the target. */
  isDone: Sql;
  /** Whether a removal leaves pairs that are done as they are. */
  keepsDone: boolean;
  codes: FailureCodes<Code>;
  messageKinds: { add: LearnerMessageKind; remind: LearnerMessageKind };
  /** For those of the ids that the company has: why nobody can be given the target now, or undefined. */
  findTargets: (tenant: TenantWriter, targetIds: string[]) => Promise<ReadonlyMap<string, Code | undefined>>;
  /** An insert of the pairs that active learners do not have yet, without `returning`. */
  add: (p: Parameters<AskedPairs>) => Sql;
  /** An update from `learners l` of the pairs that meet a condition, without `returning`. */
  remind: (areDue: Sql) => Sql;
  /** Runs before a removal. */
  lockToRemove?: Change<AskedPairs, object>;
  /** CTEs, the last of which is `removed` with the learner and the target of each pair. */
  remove: (areAsked: Sql) => Sql;
}

/** The rows `r` of a table of pairs that a call asks for. */
export function areAsked(p: Parameters<AskedPairs>, column: Sql): Sql {
  return sql`
    r.company_id = ${p.companyId} and r.learner_id = any(${p.learnerIds}::uuid[])
    and r.${column} = any(${p.targetIds}::uuid[])`;
}

/** A call: which learners and targets, and how the answer explains each failure. */
export interface PairCall<Code extends string> extends AskedPairs {
  failureMessages: Record<Failure<Code>, string>;
}

type Outcome<Target extends string, Code extends string> = Promise<PairOutcome<Target, Failure<Code>>>;

/** What learners are given, such as courses or policies: adds pairs, reminds learners of them, and removes them. */
export class PairKind<Target extends string, Code extends string> {
  readonly #declaration: PairDeclaration<Target, Code>;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(declaration: PairDeclaration<Target, Code>) {
    this.#declaration = declaration;
    this.#statements = statementsOf(declaration);
  }

  /** Gives each learner each target, and queues one message for each learner about what is new to them. */
  add(tenant: TenantWriter, call: PairCall<Code>): Outcome<Target, Code> {
    return this.#change(tenant, call, async (tx, facts) => {
      for (const part of partsOf(call)) await tx.run(this.#statements.insert, part);
      return judgeGivable(facts);
    });
  }

  /** Queues one message for each learner about what is open and what they were not reminded of within the hour. */
  remind(tenant: TenantWriter, call: PairCall<Code>): Outcome<Target, Code> {
    return this.#change(tenant, call, async (tx, facts) => {
      for (const part of partsOf(call)) await tx.run(this.#statements.remind, part);
      const { open, done } = await this.#findExisting(tx, call);
      return judgePairs(facts.codes, judgeGivable(facts), open, done);
    });
  }

  /** Takes each target from each learner, who may be inactive. */
  remove(tenant: TenantWriter, call: PairCall<Code>): Outcome<Target, Code> {
    const { keepsDone, lockToRemove } = this.#declaration;
    return this.#change(tenant, call, async (tx, facts) => {
      const removed = new Map<string, Set<string>>();
      for (const part of partsOf(call)) {
        if (lockToRemove) await tx.run(lockToRemove, part);
        const rows = await tx.run(this.#statements.remove, part);
        for (const { learnerId, targetIds } of rows) removed.set(learnerId, new Set(targetIds));
      }
      const done: TargetsOfLearners = keepsDone ? (await this.#findExisting(tx, call)).done : new Map();
      return judgePairs(facts.codes, judgeKnown(facts), removed, done);
    });
  }

  /** Acts in one transaction in which targets and learners stay as they are, and says what became of each pair. */
  async #change(
    tenant: TenantWriter,
    call: PairCall<Code>,
    act: (tx: TenantWriter, facts: PairFacts<Code>) => Promise<Judge<Failure<Code>>>,
  ): Outcome<Target, Code> {
    const { target, codes, findTargets } = this.#declaration;
    requireFewPairs(call, `body/${target}s`);
    const judge = await tenant.transaction(async (tx) => {
      // Targets are locked before learners, as they are when a policy is published and its learners are asked again.
      const targets = await findTargets(tx, call.targetIds);
      return act(tx, { codes, targets, inactive: await lockLearnerStates(tx, call.learnerIds) });
    });
    return pairOutcome(call, target, judge, call.failureMessages);
  }

  async #findExisting(tenant: TenantWriter, pairs: AskedPairs) {
    const [open, done] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
    for (const part of partsOf(pairs)) {
      for (const row of await tenant.all(this.#statements.existing, part)) {
        open.set(row.learnerId, new Set(row.open));
        done.set(row.learnerId, new Set(row.done));
      }
    }
    return { open, done };
  }
}

// They act on learners who are locked, so that two calls for the same learners queue.
function statementsOf(declaration: PairDeclaration<string, string>) {
  const { name, table, column, isPair, isDone, messageKinds, add, remind, remove } = declaration;
  const areDue = (p: Parameters<AskedPairs>) => sql`
    ${areAsked(p, column)} and ${isPair} and not ${isDone}
    and l.company_id = r.company_id and l.id = r.learner_id and not l.inactive
    and (r.reminded_at is null or r.reminded_at < now() - interval '1 hour')`;
  return {
    insert: change<AskedPairs>(
      `${name}_insert`,
      (p) => sql`
        with added as (${add(p)} returning learner_id, ${column}),
        ${learnerMessages({ kind: messageKinds.add, recipients: sql`added`, subject: column })}`,
    ),
    remind: change<AskedPairs>(
      `${name}_remind`,
      (p) => sql`
        with reminded as (${remind(areDue(p))} returning r.learner_id, r.${column}),
        ${learnerMessages({ kind: messageKinds.remind, recipients: sql`reminded`, subject: column })}`,
    ),
    remove: change<AskedPairs, { learnerId: string; targetIds: string[] }>(
      `${name}_remove`,
      (p) => sql`
        with ${remove(areAsked(p, column))}
        select learner_id as "learnerId", array_agg(${column}::text) as "targetIds" from removed group by learner_id`,
    ),
    existing: statement<AskedPairs, { learnerId: string; open: string[]; done: string[] }>(
      `${name}_existing`,
      (p) => sql`
        select learner_id as "learnerId",
               coalesce(array_agg(${column}::text) filter (where not ${isDone}), '{}') as open,
               coalesce(array_agg(${column}::text) filter (where ${isDone}), '{}') as done
          from ${table} r where ${areAsked(p, column)} and ${isPair}
         group by learner_id`,
    ),
  };
}
