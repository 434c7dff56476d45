import { type Sql, sql } from '../../../db/sql.ts';
import { type Mutation, mutation, type Parameters, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { type LearnerMessageKind, learnerMessages } from '../../../mail/outbox/outbox.ts';
import { lockLearnerStates } from './learner-locks.ts';
import {
  type RequestedPairs,
  type Judged,
  type PairOutcome,
  pairOutcome,
  splitPairs,
  requireFewPairs,
} from './learner-pairs.ts';
import {
  type Failure,
  type FailureCodes,
  judgeAssignable,
  judgeExistence,
  judgePairs,
  type PairFacts,
  type TargetsOfLearners,
} from './pair-rules.ts';

/** Declaration of one kind of pair. Its SQL uses the alias `r` for a row of the table. */
interface PairDeclaration<Target extends string, Code extends string> {
  /** Prefix of the statement names. */
  name: string;
  /** Response property that holds the id of a target, such as `courseId`. */
  target: Target;
  table: Sql;
  /** Column of the table that holds the id of the target. */
  column: Sql;
  /** Condition that the learner is enrolled in the target, or that the target is assigned to the learner. */
  isPair: Sql;
  /** Condition that the learner has finished or signed the target. */
  isDone: Sql;
  /** Whether `remove` keeps finished pairs. */
  keepsDone: boolean;
  codes: FailureCodes<Code>;
  messageKinds: { add: LearnerMessageKind; remind: LearnerMessageKind };
  /** Returns the targets that the company has, locked if they can change. For the values, see `PairFacts`. */
  findTargets: (tenant: TenantWriter, targetIds: string[]) => Promise<ReadonlyMap<string, Code | undefined>>;
  /** Inserts the pairs that active learners do not have. Has no `returning`. */
  add: (p: Parameters<RequestedPairs>) => Sql;
  /**
   * CTEs that restart the finished pairs of active learners. The last CTE is `again`, with the columns `learner_id` and
   * `column`. Without `reassign`, finished pairs are not changed.
   */
  reassign?: (matchesRequest: Sql, p: Parameters<RequestedPairs>) => Sql;
  /** Updates the pairs that meet a condition, joined with `learners l`. Has no `returning`. */
  remind: (isReminderDue: Sql) => Sql;
  /** Statement that locks rows of the pairs before `remove`. */
  lockToRemove?: Mutation<RequestedPairs, object>;
  /** CTEs that remove pairs. The last CTE is `removed`, with the columns `learner_id` and `column`. */
  remove: (matchesRequest: Sql, p: Parameters<RequestedPairs>) => Sql;
}

/** Builds the condition that a row `r` is a pair of the call. */
export function matchesRequest(p: Parameters<RequestedPairs>, column: Sql): Sql {
  return sql`
    r.company_id = ${p.companyId} and r.learner_id = any(${p.learnerIds}::uuid[])
    and r.${column} = any(${p.targetIds}::uuid[])`;
}

/** Pairs of a call, and the message for each kind of failure. */
export interface PairCall<Code extends string> extends RequestedPairs {
  failureMessages: Record<Failure<Code>, string>;
}

type Outcome<Target extends string, Code extends string> = Promise<PairOutcome<Target, Failure<Code>>>;

/** Prevents pairs that campaigns have caused from ending with the campaigns, if a call also requests them. */
const keepAfterCampaigns = mutation<RequestedPairs>(
  'pairs_keep_after_campaigns',
  (p) => sql`
    update campaign_assignments set enrolled = false
     where company_id = ${p.companyId} and learner_id = any(${p.learnerIds}::uuid[])
       and item_id = any(${p.targetIds}::uuid[]) and enrolled`,
);

/** One kind of pair, such as enrolments (learner and course) or assignments (learner and policy). */
export class LearnerAssignments<Target extends string, Code extends string> {
  readonly #declaration: PairDeclaration<Target, Code>;
  readonly #statements: ReturnType<typeof createStatements>;

  constructor(declaration: PairDeclaration<Target, Code>) {
    this.#declaration = declaration;
    this.#statements = createStatements(declaration);
  }

  /**
   * Assigns each target to each learner, and restarts finished pairs if the declaration has `reassign`. Queues one
   * message per learner about the new targets.
   */
  add(tenant: TenantWriter, call: PairCall<Code>): Outcome<Target, Code> {
    return this.#change(tenant, call, async (tx, facts) => {
      const { open, done } = await this.#findExisting(tx, call);
      for (const part of splitPairs(selectGivable(call, facts))) {
        await tx.mutate(this.#statements.insert, part);
        await tx.mutate(keepAfterCampaigns, part);
      }
      const skippedTargets = this.#declaration.reassign ? [open] : [open, done];
      return { judge: judgeAssignable(facts), unchanged: skippedTargets };
    });
  }

  /** Assigns the targets like `add`, but queues no message. The caller has locked the learners. */
  async assign(tenant: TenantWriter, pairs: RequestedPairs): Promise<void> {
    await this.#declaration.findTargets(tenant, pairs.targetIds);
    for (const part of splitPairs(pairs)) await tenant.mutate(this.#statements.assign, part);
  }

  /** Removes the targets like `remove`. The caller has locked the learners. */
  async takeBack(tenant: TenantWriter, pairs: RequestedPairs): Promise<void> {
    const { lockToRemove } = this.#declaration;
    for (const part of splitPairs(pairs)) {
      if (lockToRemove) await tenant.mutate(lockToRemove, part);
      await tenant.mutate(this.#statements.remove, part);
    }
  }

  /** Queues one message per learner about the open targets that had no reminder in the last hour. */
  remind(tenant: TenantWriter, call: PairCall<Code>): Outcome<Target, Code> {
    return this.#change(tenant, call, async (tx, facts) => {
      const before = await this.#findExisting(tx, call);
      for (const part of splitPairs(selectGivable(call, facts))) await tx.mutate(this.#statements.remind, part);
      const { open, done } = await this.#findExisting(tx, call);
      return { judge: judgePairs(facts.codes, judgeAssignable(facts), open, done), unchanged: [before.reminded] };
    });
  }

  /** Removes each target from each learner, even if the learner is inactive. */
  remove(tenant: TenantWriter, call: PairCall<Code>): Outcome<Target, Code> {
    const { keepsDone, lockToRemove } = this.#declaration;
    return this.#change(tenant, call, async (tx, facts) => {
      const removed = new Map<string, Set<string>>();
      for (const part of splitPairs(call)) {
        if (lockToRemove) await tx.mutate(lockToRemove, part);
        const rows = await tx.mutate(this.#statements.remove, part);
        for (const { learnerId, targetIds } of rows) removed.set(learnerId, new Set(targetIds));
      }
      const done: TargetsOfLearners = keepsDone ? (await this.#findExisting(tx, call)).done : new Map();
      return { judge: judgePairs(facts.codes, judgeExistence(facts), removed, done), unchanged: [] };
    });
  }

  /** Runs `act` in a transaction with targets and learners locked, and returns the outcome of each pair. */
  async #change(
    tenant: TenantWriter,
    call: PairCall<Code>,
    act: (tx: TenantWriter, facts: PairFacts<Code>) => Promise<Judged<Failure<Code>>>,
  ): Outcome<Target, Code> {
    const { target, codes, findTargets } = this.#declaration;
    requireFewPairs(call, `body/${target}s`);
    const { judge, unchanged } = await tenant.transaction(async (tx) => {
      // Locks targets before learners, in the same order as publishing a policy.
      const targets = await findTargets(tx, call.targetIds);
      return act(tx, { codes, targets, inactive: await lockLearnerStates(tx, call.learnerIds) });
    });
    return pairOutcome(call, target, { judge, unchanged }, call.failureMessages);
  }

  async #findExisting(tenant: TenantWriter, pairs: RequestedPairs) {
    const [open, reminded, done] = [
      new Map<string, Set<string>>(),
      new Map<string, Set<string>>(),
      new Map<string, Set<string>>(),
    ];
    for (const part of splitPairs(pairs)) {
      for (const row of await tenant.queryAll(this.#statements.existing, part)) {
        open.set(row.learnerId, new Set(row.open));
        reminded.set(row.learnerId, new Set(row.reminded));
        done.set(row.learnerId, new Set(row.done));
      }
    }
    return { open, reminded, done };
  }
}

/** Returns the pairs of a call whose targets can be assigned. */
function selectGivable({ learnerIds, targetIds }: RequestedPairs, { targets }: PairFacts<string>): RequestedPairs {
  return { learnerIds, targetIds: targetIds.filter((id) => targets.has(id) && targets.get(id) === undefined) };
}

// The learners are locked when these statements run, so two calls for the same learners wait for each other.
function createStatements(declaration: PairDeclaration<string, string>) {
  const { name, table, column, isPair, isDone, messageKinds, add, reassign, remind, remove } = declaration;
  const added = (p: Parameters<RequestedPairs>) => {
    const fresh = sql`fresh as (${add(p)} returning learner_id, ${column})`;
    if (!reassign) return sql`${fresh}, added as (select *, false as is_again from fresh)`;
    return sql`
      ${reassign(matchesRequest(p, column), p)}, ${fresh},
      added as (select *, false as is_again from fresh union all select *, true from again)`;
  };
  const isDue = sql`(r.reminded_at is null or r.reminded_at < now() - interval '1 hour')`;
  const isReminderDue = (p: Parameters<RequestedPairs>) => sql`
    ${matchesRequest(p, column)} and ${isPair} and not ${isDone}
    and l.company_id = r.company_id and l.id = r.learner_id and not l.inactive
    and ${isDue}`;
  return {
    insert: mutation<RequestedPairs>(
      `${name}_insert`,
      (p) => sql`
        with ${added(p)},
        ${learnerMessages(p, { kind: messageKinds.add, recipients: sql`added`, subject: column, isNewCause: sql`is_again` })}`,
    ),
    assign: mutation<RequestedPairs>(
      `${name}_assign`,
      (p) => sql`with ${added(p)} select count(*)::integer as added from added`,
    ),
    remind: mutation<RequestedPairs>(
      `${name}_remind`,
      (p) => sql`
        with reminded as (${remind(isReminderDue(p))} returning r.learner_id, r.${column}),
        ${learnerMessages(p, { kind: messageKinds.remind, recipients: sql`reminded`, subject: column })}`,
    ),
    remove: mutation<RequestedPairs, { learnerId: string; targetIds: string[] }>(
      `${name}_remove`,
      (p) => sql`
        with ${remove(matchesRequest(p, column), p)}
        select learner_id as "learnerId", array_agg(${column}::text) as "targetIds" from removed group by learner_id`,
    ),
    existing: query<RequestedPairs, { learnerId: string; open: string[]; reminded: string[]; done: string[] }>(
      `${name}_existing`,
      (p) => sql`
        select learner_id as "learnerId",
               coalesce(array_agg(${column}::text) filter (where not ${isDone}), '{}') as open,
               coalesce(array_agg(${column}::text) filter (where not ${isDone} and not ${isDue}), '{}') as reminded,
               coalesce(array_agg(${column}::text) filter (where ${isDone}), '{}') as done
          from ${table} r where ${matchesRequest(p, column)} and ${isPair}
         group by learner_id`,
    ),
  };
}
