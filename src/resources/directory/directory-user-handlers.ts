import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { isId } from '../../db/ids.ts';
import { refusalError } from '../../contract/errors.ts';
import { insertLearners } from '../learners/learner-creation.ts';
import { lockLearner, setLearnersInactive, updateLearner } from '../learners/learner-repository.ts';
import { refuseEmail } from '../learners/learner-rules.ts';
import { findEmailPolicy } from '../learners/shared/email-policy.ts';
import { findLearnerIds } from '../learners/shared/known-learners.ts';
import { lockFreeSeats } from '../learners/shared/learner-locks.ts';
import { replaceGroupsOfLearner } from '../learners/shared/memberships.ts';
import { requireVersion } from './directory-error.ts';
import { provisionAdmins } from './provision-admins.ts';
import * as repository from './directory-user-repository.ts';
import { type DirectoryUser, NO_KEYS, type StatedUser } from './directory-user-repository.ts';
import * as rules from './directory-user-rules.ts';
import { type UserPage, toUserKeys, matches } from './user-filter.ts';

interface Identified {
  learnerId: string;
  expectedVersion?: string | undefined;
}
type Changed = Identified & { body: rules.UserFields };

export function getScimUser({ learnerId }: Identified, tenant: TenantReader): Promise<DirectoryUser> {
  return repository.getUser(tenant, learnerId);
}

/** Lists a page of the users that match a filter. */
export async function listScimUsers(page: UserPage, tenant: TenantReader) {
  const { filter, offset, limit } = page;
  const keys = toUserKeys(filter);
  if (!keys) return repository.listUsers(tenant, { active: filter.active ?? null, offset, limit });
  const users = (await repository.findUsers(tenant, keys)).filter((user) => matches(user, filter));
  return { users: users.slice(offset, offset + limit), total: users.length };
}

/** @param freeMail domains of free e-mail providers */
export function createUserHandlers(freeMail: ReadonlySet<string>) {
  function createScimUser({ body }: { body: rules.UserFields }, tenant: TenantWriter): Promise<DirectoryUser> {
    // Rejects an invalid body before taking any locks.
    rules.toTargetUser(body, undefined);
    return tenant.transaction(async (tx) => {
      await lockFreeSeats(tx);
      const target = rules.toTargetUser(await withKnownManager(tx, body), undefined);
      const holders = await findHolders(tx, target);
      const returning = rules.returningUser(target, holders);
      // The id that a directory sends as the manager of a returning user can be the user's own.
      if (returning?.id === target.managerId) target.managerId = null;
      await free(tx, target, holders, returning);
      const learnerId = returning ? returning.id : await createLearner(tx, target);
      const stated = rules.stateUser(body, target, undefined);
      await store(tx, { ...target, stated }, returning ?? (await repository.getUser(tx, learnerId)));
      return repository.getUser(tx, learnerId);
    });
  }

  async function createLearner(tx: TenantWriter, target: rules.TargetUser): Promise<string> {
    const { email, givenName: firstName, familyName: lastName, employeeNumber, preferredLanguage } = target;
    const optional = { externalLearnerId: employeeNumber, locale: preferredLanguage, ...getProfile(target) };
    const given = Object.entries(optional).filter(([, value]) => value !== null);
    const learner = { email, firstName, lastName, ...(Object.fromEntries(given) as Record<string, string>) };
    const { created, refused } = await insertLearners(tx, [learner], freeMail);
    if (refused.length > 0) throw refusalError(rules.withScimAttribute(refused[0]!));
    return created[0]!.id;
  }

  function updateScimUser({ learnerId, expectedVersion, body }: Changed, tenant: TenantWriter): Promise<DirectoryUser> {
    return tenant.transaction(async (tx) => {
      const user = await lockUser(tx, { learnerId, expectedVersion });
      const target = rules.toTargetUser(await withKnownManager(tx, body, learnerId), user);
      const stated = rules.stateUser(body, target, user);
      if (user.managed && !rules.differs(target, user) && !rules.isRestated(stated, user)) return user;
      await free(tx, target, await findHolders(tx, target), user);
      await store(tx, { ...target, stated }, user);
      return repository.getUser(tx, learnerId);
    });
  }

  /** Updates the learner, and its link to the directory, to the target state. */
  async function store(
    tx: TenantWriter,
    target: rules.TargetUser & { stated: StatedUser },
    user: DirectoryUser,
  ): Promise<void> {
    const { id: learnerId } = user;
    const { email, givenName: firstName, familyName: lastName, preferredLanguage: locale } = target;
    if (email.toLowerCase() !== user.email.toLowerCase()) {
      const refusal = refuseEmail(email, { ...(await findEmailPolicy(tx)), freeMail });
      if (refusal) throw refusalError(rules.withScimAttribute(refusal));
    }
    await repository.linkUser(tx, { learnerId, ...target });
    const externalLearnerId = target.employeeNumber;
    const profile = getProfile(target);
    await updateLearner(tx, { learnerId, email, firstName, lastName, locale, externalLearnerId, ...profile });
    if (target.active !== user.active) await setLearnersInactive(tx, [learnerId], !target.active);
    await provisionAdmins(tx, { learnerId });
  }

  return { createScimUser, updateScimUser, replaceScimUser: updateScimUser };
}

export function deleteScimUser(
  { learnerId, expectedVersion }: Identified,
  tenant: TenantWriter,
): Promise<{ id: string }> {
  return tenant.transaction(async (tx) => {
    const user = await lockUser(tx, { learnerId, expectedVersion });
    await repository.linkUser(tx, { learnerId, ...user, stated: user.stated ?? user });
    await repository.hideUser(tx, learnerId);
    await replaceGroupsOfLearner(tx, learnerId, []);
    await setLearnersInactive(tx, [learnerId], true);
    await provisionAdmins(tx, { learnerId });
    return { id: learnerId };
  });
}

function getProfile({ department, jobTitle, country, location, timeZone, managerId, absentUntil }: rules.TargetUser) {
  return { department, jobTitle, country, location, timeZone, managerId, absentUntil };
}

/**
 * Removes a manager whom the company does not have, or who is the user, so that an invalid manager does not block the
 * user. Entra can send a manager whom it does not provision. A known manager cannot be deleted until the transaction
 * ends.
 */
async function withKnownManager(
  tx: TenantWriter,
  body: rules.UserFields,
  learnerId?: string,
): Promise<rules.UserFields> {
  if (typeof body.managerId !== 'string') return body;
  const managerId = body.managerId.toLowerCase();
  const known = isId(managerId) && managerId !== learnerId ? await findLearnerIds(tx, [managerId]) : new Set<string>();
  return { ...body, managerId: known.has(managerId) ? managerId : null };
}

/** Locks the seats before the user, in the same order as calls that create learners do. */
async function lockUser(tx: TenantWriter, { learnerId, expectedVersion }: Identified): Promise<DirectoryUser> {
  await lockFreeSeats(tx);
  await lockLearner(tx, learnerId);
  const user = await repository.getUser(tx, learnerId);
  requireVersion(expectedVersion, rules.getUserVersion(user));
  return user;
}

function findHolders(tx: TenantWriter, target: rules.TargetUser): Promise<DirectoryUser[]> {
  const { userName, email, employeeNumber, externalId } = target;
  return repository.findUsers(tx, {
    ...NO_KEYS,
    userNames: [userName.toLowerCase()],
    emails: [email.toLowerCase()],
    employeeNumbers: employeeNumber === null ? [] : [employeeNumber],
    externalIds: externalId === null ? [] : [externalId],
  });
}

/**
 * Frees values of the target that deleted users hold.
 * @throws {DirectoryError} `uniqueness` if another user holds a value
 */
async function free(
  tx: TenantWriter,
  target: rules.TargetUser,
  holders: readonly DirectoryUser[],
  user: DirectoryUser | undefined,
): Promise<void> {
  const others = holders.filter(({ id }) => id !== user?.id);
  for (const { user: holder, names } of rules.findReleasedNames(target, others)) {
    if (names.includes('userName')) await repository.giveUpUserName(tx, holder.id);
    const { id: learnerId, givenName: firstName, familyName: lastName } = holder;
    if (names.includes('employeeNumber'))
      await updateLearner(tx, { learnerId, firstName, lastName, externalLearnerId: null });
  }
}
