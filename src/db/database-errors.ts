import { ApiError, type Refusal, refusalError } from '../contract/errors.ts';

const noSuchGroup: Refusal = { code: 'not_found', message: 'Group not found.', fields: [] };
const noSuchLearner: Refusal = { code: 'not_found', message: 'Learner not found.', fields: [] };

/** Errors for clients, by the constraint that rejects a row. Repositories rely on constraints, not on prior checks. */
export const CONSTRAINT_REFUSALS = {
  learners_email: {
    code: 'email_taken',
    message: 'Another learner of the company already has this e-mail address.',
    fields: ['email'],
  },
  learners_external_learner_id: {
    code: 'external_learner_id_taken',
    message: 'Another learner of the company already has this `externalLearnerId`.',
    fields: ['externalLearnerId'],
  },
  learner_limit: {
    code: 'learner_limit_reached',
    message: 'The plan has no seat left for another active learner; deactivate one or extend the plan.',
    fields: [],
  },
  groups_name: {
    code: 'group_name_taken',
    message: 'Another group of the company already has this name.',
    fields: ['name'],
  },
  courses_external_id: {
    code: 'external_course_id_taken',
    message: 'Another course of the company already has this `externalId`.',
    fields: ['externalId'],
  },
  campaigns_external_id: {
    code: 'external_campaign_id_taken',
    message: 'Another campaign of the company already has this `externalId`.',
    fields: ['externalId'],
  },
  admins_email: {
    code: 'email_taken',
    message: 'Another admin of the company already has this e-mail address.',
    fields: ['email'],
  },
  roles_name: {
    code: 'role_name_taken',
    message: 'Another role of the company already has this name.',
    fields: ['name'],
  },
  events_on_one_server: {
    code: 'invalid_request',
    message: 'The companies are on several database servers; read the events of each child with `companyId`.',
    fields: [],
  },
  webhook_simulations_of_own: {
    code: 'invalid_request',
    message: '`simulationIds` cannot be combined with `children`.',
    fields: ['simulationIds'],
  },
  webhook_groups_of_own: {
    code: 'invalid_request',
    message: '`groupIds` cannot be combined with `children`.',
    fields: ['groupIds'],
  },
  // Another call has deleted the group or the learner since this call looked it up.
  group_learners_group: noSuchGroup,
  group_managers_group: noSuchGroup,
  group_learners_learner: noSuchLearner,
  group_managers_learner: noSuchLearner,
  learners_manager: { ...noSuchLearner, fields: ['managerId'] },
  simulation_exclusions_group: { ...noSuchGroup, fields: ['groupId'] },
  simulation_exclusions_learner: { ...noSuchLearner, fields: ['learnerId'] },
} as const satisfies Record<string, Refusal>;

const AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN', 'EHOSTUNREACH']);
/** Messages of node-postgres' own errors for an unavailable database, which have no code. */
const AWAY_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered|was closed))/;
/**
 * SQLSTATEs of an unavailable database: connection exception (08), operator intervention (57P), insufficient resources
 * (53), transaction rollback (40), and a server that is read-only, for example a former primary (25006).
 */
const AWAY_STATE = /^(08|57P|53|40|25006)/;

/**
 * Name of the constraint in a message. If a node of Citus rejects a row, only the message names the constraint,
 * followed by the number of the shard.
 */
const NAMED_CONSTRAINT = /constraint "(\w+?)(?:_\d+)?"/;

function findRefusal(constraint = ''): Refusal | undefined {
  return (CONSTRAINT_REFUSALS as Record<string, Refusal>)[constraint];
}

/** Translates an error of the database or its driver to an error for the client. Returns undefined for other errors. */
export function translateDatabaseError(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, constraint } = error as { code?: string; constraint?: string };
  const refusal = findRefusal(constraint ?? NAMED_CONSTRAINT.exec(error.message)?.[1]);
  if (refusal) return refusalError(refusal, error);
  // 57014: the statement was cancelled because it ran too long.
  if (code === '57014') {
    return new ApiError('service_timeout', 'The service took too long to respond; try again later, or request less.', {
      cause: error,
    });
  }
  if ((code && (AWAY.has(code) || AWAY_STATE.test(code))) || AWAY_MESSAGE.test(error.message)) {
    return new ApiError('service_unavailable', 'The service is temporarily unavailable; try again later.', {
      cause: error,
    });
  }
  return undefined;
}
