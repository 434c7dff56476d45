import { NIL } from 'uuid';
import type { Caller } from '../auth/caller.ts';
import { type AnyOperationId, allOperations, type KeyedOperationId } from '../contract/contract.ts';
import type { TenantReader, TenantWriter } from '../db/tenant.ts';
import { ApiError, invalidField } from '../contract/errors.ts';
import { lockSchedule } from '../resources/board-report/schedules/schedule-repository.ts';
import { findByExternalId, lockCampaign } from '../resources/campaigns/campaign-repository.ts';
import { lockBranding } from '../resources/company/branding-repository.ts';
import { lockCourse } from '../resources/courses/own-course-repository.ts';
import { lockGroups } from '../resources/groups/group-repository.ts';
import { lockLearner } from '../resources/learners/learner-repository.ts';
import { lockFreeSeats } from '../resources/learners/shared/learner-locks.ts';
import { requirePolicy } from '../resources/policies/policy-repository.ts';
import { requireOwnTemplate } from '../resources/policies/templates/policy-template-publishing.ts';
import { lockRole } from '../resources/roles/role-repository.ts';
import { lockOwnSimulation } from '../resources/simulations/own-simulation-repository.ts';
import { lockTemplate } from '../resources/simulations/templates/simulation-template-repository.ts';
import { isAmong, parseIfMatch } from '../contract/etags.ts';
import { tagResult } from './entity-tag.ts';
import type { Handlers } from './operations.ts';

interface TaggedThing {
  /** Operation whose responses have the resource's ETag. */
  read: KeyedOperationId;
  /** Makes all other changes to the resource wait. */
  lock: (tx: TenantWriter, id: string) => Promise<unknown>;
}

/** The content of a course, whose ETag differs from the course's ETag. */
const COURSE_CONTENT: TaggedThing = { read: 'getCourseContent', lock: lockCourse };
const OF_CONTENT: ReadonlySet<AnyOperationId> = new Set<AnyOperationId>([
  'saveCourseContent',
  'publishCourseContent',
  'discardCourseContentDraft',
]);

/**
 * Resources with an ETag, by the id parameter in the paths of their changes. Each `lock` locks in the same order as
 * these changes.
 */
const THINGS: Partial<Record<string, TaggedThing>> = {
  learnerId: {
    read: 'getLearner',
    lock: async (tx, id) => {
      await lockFreeSeats(tx);
      await lockLearner(tx, id);
    },
  },
  groupId: { read: 'getGroup', lock: (tx, id) => lockGroups(tx, [id]) },
  courseId: {
    read: 'getCourse',
    lock: async (tx, id) => {
      await lockFreeSeats(tx);
      await lockCourse(tx, id);
    },
  },
  branding: { read: 'getCompanyBranding', lock: lockBranding },
  boardScheduleId: { read: 'getBoardReportSchedule', lock: lockSchedule },
  campaignId: { read: 'getCampaign', lock: lockCampaign },
  roleId: { read: 'getRole', lock: lockRole },
  policyId: { read: 'getPolicy', lock: requirePolicy },
  simulationId: { read: 'getSimulation', lock: lockOwnSimulation },
  simulationTemplateId: { read: 'getSimulationTemplate', lock: lockTemplate },
  policyTemplateId: { read: 'getPolicyTemplate', lock: requireOwnTemplate },
};

interface ConditionalCall {
  operationId: AnyOperationId;
  caller: Caller;
  input: Record<string, unknown>;
}

type Read = (input: object, tenant: TenantReader, caller: Caller) => unknown;

/**
 * Requires that the resource of a call matches `If-Match`, and blocks other changes until the transaction ends.
 * @throws {ApiError} `changed_meanwhile`, `not_found`, or `invalid_request` for an invalid `If-Match`
 */
export async function requireUnchanged(
  tx: TenantWriter,
  { operationId, caller, input }: ConditionalCall,
  { ifMatch, handlers }: { ifMatch: string; handlers: Handlers },
): Promise<void> {
  const tags = parseIfMatch(ifMatch);
  if (!tags) throw invalidField('header/if-match', 'must be * or ETags in double quotes, as in the ETag header');
  const ofCompany = operationId === 'updateCompanyBranding' ? 'branding' : 'campaignId';
  const name = allOperations[operationId].pathIds[0] ?? ofCompany;
  const { read, lock } = OF_CONTENT.has(operationId) ? COURSE_CONTENT : THINGS[name]!;
  // A campaign can be named by the external id in the body.
  const { externalId } = (input.body ?? {}) as { externalId: string };
  const findNamed = async () => (name === 'campaignId' ? findByExternalId(tx, externalId) : undefined);
  const id = (input[name] as string | undefined) ?? (await findNamed()) ?? NIL;
  await lock(tx, id);
  const current = await (handlers[read] as unknown as Read)({ [name]: id }, tx, caller);
  if (isAmong(tags, tagResult(current)!.tag)) return;
  const message = 'does not match the current ETag';
  throw new ApiError('changed_meanwhile', 'The resource has changed since you read it; read it again.', {
    details: [{ field: 'header/if-match', message }],
  });
}
