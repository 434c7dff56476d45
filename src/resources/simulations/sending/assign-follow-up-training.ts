import { literal, sql } from '../../../db/sql.ts';
import { mutation, pointQuery, query } from '../../../db/statement.ts';
import { requireFound } from '../../../contract/errors.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { isOnLeave, learnerZone } from '../../../mail/messages/working-hours.ts';
import { CROWD_WINDOW_MS } from '../events/interaction-rules.ts';

/** Number of minutes after a visit during which a later event can still reveal that a machine made the visit. */
export const SETTLED_AFTER = CROWD_WINDOW_MS / 60_000;
const MAX_AT_ONCE = 1000;

interface Lesson {
  simulationId: string;
  courseId: string;
  learnerIds: string[];
}

// `training_course_id` is never null here, although the type of the column allows it.
const due = query<object, Omit<Lesson, 'courseId'> & { courseId: string | null }>(
  'simulation_lessons_due',
  (p) => sql`
    select simulation_id as "simulationId", training_course_id as "courseId", array_agg(learner_id) as "learnerIds"
      from (
        select r.simulation_id, s.training_course_id, r.learner_id
          from simulations s
          join simulation_recipients r on r.company_id = ${p.companyId} and r.simulation_id = s.id
          join learners l on l.company_id = ${p.companyId} and l.id = r.learner_id
         where s.company_id = ${p.companyId} and s.is_own and s.training_course_id is not null
           and r.template_id is not null and r.visited_at is not null and r.training_assigned_at is null
           and not ${isOnLeave(sql`now()`, learnerZone(p))}
           and coalesce(r.compromised_at, r.visited_at) < now() - ${literal(SETTLED_AFTER)} * interval '1 minute'
         limit ${literal(MAX_AT_ONCE)}) as settled
     group by simulation_id, training_course_id order by simulation_id`,
);

const mark = mutation<Pick<Lesson, 'simulationId' | 'learnerIds'>, { learnerId: string }>(
  'simulation_mark_taught',
  (p) => sql`
    update simulation_recipients set training_assigned_at = now()
     where company_id = ${p.companyId} and simulation_id = ${p.simulationId}
       and learner_id = any(${p.learnerIds}::uuid[]) and training_assigned_at is null
    returning learner_id as "learnerId"`,
);

const course = pointQuery<{ simulationId: string }, { courseId: string | null }>(
  'simulation_follow_up_course',
  (p) => sql`
    select training_course_id as "courseId" from simulations
     where company_id = ${p.companyId} and id = ${p.simulationId} and is_own and training_course_id is not null`,
);

/** Finds the training of a simulation. @throws not_found */
export async function findFollowUpCourse(tenant: TenantReader, simulationId: string): Promise<string> {
  return requireFound(await tenant.queryOne(course, { simulationId }), 'training').courseId!;
}

/** Marks a recipient as enrolled in the training of a simulation. Returns false if the recipient already was marked. */
export async function markAssigned(tx: TenantWriter, simulationId: string, learnerId: string): Promise<boolean> {
  return (await tx.mutate(mark, { simulationId, learnerIds: [learnerId] })).length > 0;
}

/** Enrols learners in a course. Locks the learners, and skips those who cannot be enrolled. */
export type Enrol = (tenant: TenantWriter, lesson: Pick<Lesson, 'courseId' | 'learnerIds'>) => Promise<unknown>;

/**
 * Enrols each recipient once in the simulation's training after a visit; if the recipient is on leave, after the leave.
 * Also marks recipients who cannot be enrolled.
 */
export async function assignFollowUpTraining(tenant: TenantWriter, enrol: Enrol): Promise<void> {
  for (const { simulationId, courseId, learnerIds } of await tenant.queryAll(due, {})) {
    await tenant.transaction(async (tx) => {
      await enrol(tx, { courseId: courseId!, learnerIds });
      await tx.mutate(mark, { simulationId, learnerIds });
    });
  }
}
