import type { Handler } from '../../contract/contract.ts';
import { ResultWithMeta } from '../../db/rows.ts';
import { invalidField, notFound, refusalError } from '../../contract/errors.ts';
import { readSince } from '../events/log/changes.ts';
import { findEmailPolicy } from './shared/email-policy.ts';
import { readProfile } from './shared/learner-profile.ts';
import { requireGroups } from './shared/known-groups.ts';
import { findLearnerIds } from './shared/known-learners.ts';
import { toCurrentLearnerId } from './shared/merged-learners.ts';
import { showToDirectories } from './shared/directory-marks.ts';
import { lockFreeSeats } from './shared/learner-locks.ts';
import { replaceGroupsOfLearner } from './shared/memberships.ts';
import { refuseNames } from './shared/person-rules.ts';
import { bulkOutcome } from './shared/skipped-learners.ts';
import { insertLearners } from './learner-creation.ts';
import { streamChangedLearners, streamLearners } from './learner-list.ts';
import * as repository from './learner-repository.ts';
import { asStored, listManagerIds, refuseEmail, refuseManager, refuseTexts } from './learner-rules.ts';
import { changeLearners } from './learner-updates.ts';

export const listLearners: Handler<'listLearners'> = async ({ updatedSince, ...input }, tenant) => {
  const { riskScoreLevel, email, externalLearnerId, groupId, ids, overdue, inactive, mailStatus, q } = input;
  if (updatedSince !== undefined && overdue !== undefined)
    throw invalidField('query/overdue', 'cannot be combined with `updatedSince`');
  const profile = readProfile({ ...input, updatedSince });
  const managerId = profile.managerId === null ? null : await toCurrentLearnerId(tenant, profile.managerId);
  const own = { riskScoreLevel, email, externalLearnerId, groupId, ids, overdue, inactive, mailStatus, q };
  const filters = { ...own, ...profile, managerId };
  if (updatedSince === undefined) return streamLearners(tenant, filters);
  const { changesQuery, syncedUntil } = await readSince(tenant, updatedSince);
  const { learners, removed } = streamChangedLearners(tenant, filters, changesQuery);
  return new ResultWithMeta(learners, { removed, syncedUntil });
};

export const getLearner: Handler<'getLearner'> = ({ learnerId }, tenant) => repository.getLearner(tenant, learnerId);

/**
 * Creates the handlers that check e-mail addresses.
 * @param freeMail domains of free e-mail providers
 */
export function createAddressHandlers(freeMail: ReadonlySet<string>) {
  const createLearner: Handler<'createLearner'> = ({ body }, tenant) => {
    return tenant.transaction(async (tx) => {
      const { created, refused } = await insertLearners(tx, [body], freeMail);
      if (refused.length > 0) throw refusalError(refused[0]!);
      return repository.getLearner(tx, created[0]!.id);
    });
  };

  const createLearners: Handler<'createLearners'> = ({ body }, tenant) => {
    return tenant.transaction(async (tx) => {
      const { created, refused } = await insertLearners(tx, body.learners, freeMail);
      const errors = refused.map(({ index, learnerId, code, message }) => {
        return { index, email: body.learners[index]!.email, learnerId, code, message };
      });
      return {
        success: errors.length === 0,
        created: created.map(({ index, id }) => ({ index, learnerId: id })),
        errors,
      };
    });
  };

  const updateLearner: Handler<'updateLearner'> = ({ learnerId, body }, tenant) => {
    return tenant.transaction(async (tx) => {
      const { email, groupIds, externalLearnerId } = body;
      const misnamed = refuseTexts(asStored(body)) ?? refuseNames(body);
      if (misnamed) throw refusalError(misnamed);
      // Waits for concurrent calls that create learners, because those calls rely on the e-mail addresses and ids that
      // they have read.
      if (email ?? externalLearnerId) await lockFreeSeats(tx);
      const learner = await repository.getLearner(tx, learnerId);
      if (email !== undefined && email !== learner.email) {
        const refusal = refuseEmail(email, { ...(await findEmailPolicy(tx)), freeMail });
        if (refusal) throw refusalError(refusal);
      }
      if (groupIds) await requireGroups(tx, groupIds, 'body/groupIds');
      const unmanageable = refuseManager(body, learnerId, await findLearnerIds(tx, listManagerIds([body])));
      if (unmanageable) throw refusalError(unmanageable);
      await repository.updateLearner(tx, { learnerId, ...asStored(body) });
      if (groupIds) await replaceGroupsOfLearner(tx, learnerId, groupIds);
      return repository.getLearner(tx, learnerId);
    });
  };

  const updateLearners: Handler<'updateLearners'> = ({ body }, tenant) => {
    return tenant.transaction(async (tx) => {
      const { accepted, refused } = await changeLearners(tx, body.learners, freeMail);
      return {
        success: refused.length === 0,
        updated: accepted.map(({ index, learner, changed }) => ({ index, learnerId: learner.id, changed })),
        errors: refused.map(({ index, learnerId, holderId, code, message }) => {
          return { index, learnerId, holderId, code, message };
        }),
      };
    });
  };

  return { createLearner, createLearners, updateLearner, updateLearners };
}

export const setLearnerGroups: Handler<'setLearnerGroups'> = ({ learnerId, body }, tenant) => {
  return tenant.transaction(async (tx) => {
    await repository.lockLearner(tx, learnerId);
    await requireGroups(tx, body.groupIds, 'body/groupIds');
    await replaceGroupsOfLearner(tx, learnerId, body.groupIds);
    return repository.getLearner(tx, learnerId);
  });
};

export const deleteLearner: Handler<'deleteLearner'> = ({ learnerId }, tenant) => {
  return tenant.transaction(async (tx) => {
    if ((await repository.removeLearners(tx, [learnerId])) === 0) throw notFound('learner');
    return true as const;
  });
};

export const deleteLearners: Handler<'deleteLearners'> = ({ body }, tenant) => {
  return tenant.transaction(async (tx) => {
    await repository.removeLearners(tx, body.learnerIds);
    return true as const;
  });
};

export const activateLearners: Handler<'activateLearners'> = ({ body }, tenant) => {
  return tenant.transaction(async (tx) => {
    const { changedIds, existingIds } = await repository.setLearnersInactive(tx, body.learnerIds, false);
    if (changedIds.length > 0) await showToDirectories(tx, changedIds);
    return bulkOutcome(body.learnerIds, changedIds, existingIds, 'already_active');
  });
};

export const deactivateLearners: Handler<'deactivateLearners'> = ({ body }, tenant) => {
  return tenant.transaction(async (tx) => {
    const { changedIds, existingIds } = await repository.setLearnersInactive(tx, body.learnerIds, true);
    return bulkOutcome(body.learnerIds, changedIds, existingIds, 'already_inactive');
  });
};
