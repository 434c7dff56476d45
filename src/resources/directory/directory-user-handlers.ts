import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { refusalError } from '../../contract/errors.ts';
import { insertLearners } from '../learners/learner-creation.ts';
import { lockLearner, setLearnersInactive, updateLearner } from '../learners/learner-repository.ts';
import { refuseEmail } from '../learners/learner-rules.ts';
import { findEmailPolicy } from '../learners/shared/email-policy.ts';
import { lockFreeSeats } from '../learners/shared/learner-locks.ts';
import { replaceGroupsOfLearner } from '../learners/shared/memberships.ts';
import { requireVersion } from './directory-error.ts';
import * as repository from './directory-user-repository.ts';
import type { DirectoryUser } from './directory-user-repository.ts';
import * as rules from './directory-user-rules.ts';
import { type UserPage, keysOf, matches } from './user-filter.ts';

interface Identified {
  learnerId: string;
  expectedVersion?: string | undefined;
}
type Changed = Identified & { body: rules.UserFields };

export function getScimUser({ learnerId }: Identified, tenant: TenantReader): Promise<DirectoryUser> {
  return repository.getUser(tenant, learnerId);
}

/** A part of the users that a filter finds. */
export async function listScimUsers(asked: UserPage, tenant: TenantReader) {
  const { filter, offset, limit } = asked;
  const keys = keysOf(filter);
  if (!keys) return repository.listUsers(tenant, { active: filter.active ?? null, offset, limit });
  const found = (await repository.findUsers(tenant, keys)).filter((user) => matches(user, filter));
  return { users: found.slice(offset, offset + limit), total: found.length };
}

/** @param freeMail the domains of free e-mail providers */
export function createUserHandlers(freeMail: ReadonlySet<string>) {
  function createScimUser({ body }: { body: rules.UserFields }, tenant: TenantWriter): Promise<DirectoryUser> {
    const wanted = rules.wantedUser(body, undefined);
    return tenant.transaction(async (tx) => {
      await lockFreeSeats(tx);
      const holders = await findHolders(tx, wanted);
      const returning = rules.returningUser(wanted, holders);
      await free(tx, wanted, holders, returning);
      const learnerId = returning ? returning.id : await createLearner(tx, wanted);
      await store(tx, wanted, returning ?? { ...(await repository.getUser(tx, learnerId)), managed: false });
      return repository.getUser(tx, learnerId);
    });
  }

  async function createLearner(tx: TenantWriter, wanted: rules.TargetUser): Promise<string> {
    const { email, givenName: firstName, familyName: lastName, employeeNumber, preferredLanguage } = wanted;
    const learner = {
      ...{ email, firstName, lastName },
      ...(employeeNumber !== null && { externalLearnerId: employeeNumber }),
      ...(preferredLanguage !== null && { locale: preferredLanguage }),
    };
    const { created, refused } = await insertLearners(tx, [learner], freeMail);
    if (refused.length > 0) throw refusalError(rules.withScimAttribute(refused[0]!));
    return created[0]!.id;
  }

  function updateScimUser({ learnerId, expectedVersion, body }: Changed, tenant: TenantWriter): Promise<DirectoryUser> {
    return tenant.transaction(async (tx) => {
      const user = await lockUser(tx, { learnerId, expectedVersion });
      const wanted = rules.wantedUser(body, user);
      if (user.managed && !rules.differs(wanted, user)) return user;
      await free(tx, wanted, await findHolders(tx, wanted), user);
      await store(tx, wanted, user);
      return repository.getUser(tx, learnerId);
    });
  }

  /** Brings learner and link to what is wanted. */
  async function store(tx: TenantWriter, wanted: rules.TargetUser, user: DirectoryUser): Promise<void> {
    const { id: learnerId } = user;
    const { email, givenName: firstName, familyName: lastName, preferredLanguage: locale } = wanted;
    if (email.toLowerCase() !== user.email.toLowerCase()) {
      const refusal = refuseEmail(email, { ...(await findEmailPolicy(tx)), freeMail });
      if (refusal) throw refusalError(rules.withScimAttribute(refusal));
    }
    await repository.linkUser(tx, { learnerId, ...wanted });
    const externalLearnerId = wanted.employeeNumber;
    await updateLearner(tx, { learnerId, email, firstName, lastName, locale, externalLearnerId });
    if (wanted.active !== user.active) await setLearnersInactive(tx, [learnerId], !wanted.active);
  }

  return { createScimUser, updateScimUser, replaceScimUser: updateScimUser };
}

export function deleteScimUser(
  { learnerId, expectedVersion }: Identified,
  tenant: TenantWriter,
): Promise<{ id: string }> {
  return tenant.transaction(async (tx) => {
    const user = await lockUser(tx, { learnerId, expectedVersion });
    await repository.linkUser(tx, { learnerId, ...user });
    await repository.hideUser(tx, learnerId);
    await replaceGroupsOfLearner(tx, learnerId, []);
    await setLearnersInactive(tx, [learnerId], true);
    return { id: learnerId };
  });
}

/** Seats first: creations of learners take them in this order, too. */
async function lockUser(tx: TenantWriter, { learnerId, expectedVersion }: Identified): Promise<DirectoryUser> {
  await lockFreeSeats(tx);
  await lockLearner(tx, learnerId);
  const user = await repository.getUser(tx, learnerId);
  requireVersion(expectedVersion, rules.versionOfUser(user));
  return user;
}

function findHolders(tx: TenantWriter, wanted: rules.TargetUser): Promise<DirectoryUser[]> {
  const { userName, email, employeeNumber, externalId } = wanted;
  return repository.findUsers(tx, {
    ids: [],
    userNames: [userName.toLowerCase()],
    emails: [email.toLowerCase()],
    employeeNumbers: employeeNumber === null ? [] : [employeeNumber],
    externalIds: externalId === null ? [] : [externalId],
  });
}

/** Has deleted users give up what a user is to have. @throws {DirectoryError} `uniqueness` when another user has it */
async function free(
  tx: TenantWriter,
  wanted: rules.TargetUser,
  holders: readonly DirectoryUser[],
  user: DirectoryUser | undefined,
): Promise<void> {
  const others = holders.filter(({ id }) => id !== user?.id);
  for (const { user: holder, names } of rules.givenUpFor(wanted, others)) {
    if (names.includes('userName')) await repository.giveUpUserName(tx, holder.id);
    const { id: learnerId, givenName: firstName, familyName: lastName } = holder;
    if (names.includes('employeeNumber'))
      await updateLearner(tx, { learnerId, firstName, lastName, externalLearnerId: null });
  }
}
