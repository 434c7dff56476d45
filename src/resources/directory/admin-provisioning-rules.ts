// Provisioning of admins: the rules by which a directory's groups decide who is an admin, and with which role.
//
// `planAdmins` is a pure function of the members of the groups, ordered by learner id, and of the company's admins.
// provision-admins.ts calls it in the transaction of each change to the directory, and writes the differences.
//
// - A user's role is that of the first entry in the setting whose group contains the user
//   (admin-provisioning-repository.ts).
// - An admin is removed once no group that gives a role contains that admin's user.
// - An invited admin who has the same e-mail address as a member stays invited, unless the company lets the directory
//   take over such admins. The directory never takes over an admin with emergency access.
// - If the company would lose its last active owner, the owner with the lowest id keeps the role and status. In the
//   same way, a company without an active owner keeps an active admin.
// - E-mail addresses can move between admins in one plan, even in chains and circles: an address that another admin of
//   the directory gives up in the plan is free. An admin whose new address is taken keeps the previous one.
// - Members who cannot become admins are skipped, with a reason.
import type { Schemas } from '../../contract/contract.ts';
import { refuseForeignDomain, type EmailPolicy } from '../learners/shared/person-rules.ts';

/** Maximum number of admins whom a directory can provision; limits the locks and emails that one change causes. */
export const MAX_PROVISIONED_ADMINS = 1000;

/** A user of the directory whose groups give a role. */
export interface Candidate {
  learnerId: string;
  email: string;
  firstName: string;
  lastName: string;
  locale: string | null;
  role: string;
  roleId: string | null;
}

export interface CurrentAdmin {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  status: string;
  role: string;
  roleId: string | null;
  emergencyAccess: boolean;
  /** Id of the directory user who stands for the admin; null for an admin whom the directory does not provision. */
  directoryLearnerId: string | null;
  /** Whether the admin keeps the role only because the company has no other active owner. */
  isKept: boolean;
}

export type SkippedMember = Schemas['SkippedDirectoryMember'];

/** State of an admin after a change. The admin is active and provisioned by the directory. */
export interface ChangedAdmin {
  before: CurrentAdmin;
  after: Candidate & { isKept: boolean };
}

export interface AdminPlan {
  added: Candidate[];
  changed: ChangedAdmin[];
  /** Admins who would be removed, but keep their role and status because the company has no other active owner. */
  kept: CurrentAdmin[];
  removed: CurrentAdmin[];
  skipped: SkippedMember[];
}

interface Facts {
  /** Ordered by learner id. */
  candidates: readonly Candidate[];
  /** Ordered by id. */
  admins: readonly CurrentAdmin[];
  joinsExistingAdmins: boolean;
  policy: EmailPolicy;
}

const key = (email: string) => email.toLowerCase();
const isActive = ({ status }: CurrentAdmin) => status === 'active';

/** Plans the changes that make the admins match the groups. */
export function planAdmins(facts: Facts): AdminPlan {
  const plan = assign(facts, undefined);
  const kept = findLastOwner(facts.admins, plan);
  return kept ? assign(facts, kept) : plan;
}

/** Returns the admin who must keep the role and status, so that the company has an active owner after the plan. */
function findLastOwner(admins: readonly CurrentAdmin[], plan: AdminPlan): CurrentAdmin | undefined {
  const active = admins.filter(isActive);
  const owners = active.filter(({ role }) => role === 'owner');
  const needed = owners.length > 0 ? owners : active;
  const afterwards = new Map(plan.changed.map(({ before, after }) => [before.id, after.role]));
  const removedIds = new Set(plan.removed.map(({ id }) => id));
  const isLost = ({ id, role }: CurrentAdmin) =>
    removedIds.has(id) || (owners.length > 0 && (afterwards.get(id) ?? role) !== 'owner');
  const promoted = [...plan.added, ...plan.changed.map(({ after }) => after)];
  const hasNew = owners.length > 0 ? promoted.some(({ role }) => role === 'owner') : promoted.length > 0;
  return !hasNew && needed.every(isLost) ? needed[0] : undefined;
}

function assign({ candidates, admins, joinsExistingAdmins, policy }: Facts, last: CurrentAdmin | undefined): AdminPlan {
  const { accepted, skipped } = accept(candidates, policy);
  const acceptedIds = new Set(accepted.map(({ learnerId }) => learnerId));
  const lapsed = admins.filter((one) => one.directoryLearnerId !== null && !acceptedIds.has(one.directoryLearnerId));
  const plan: AdminPlan = { added: [], changed: [], kept: [], removed: [], skipped };
  for (const admin of lapsed) (admin.id === last?.id ? plan.kept : plan.removed).push(admin);
  for (const { directoryLearnerId } of plan.kept)
    skipped.push({ learnerId: directoryLearnerId!, reason: 'last_owner' });
  const owned = new Map(admins.map((admin) => [admin.directoryLearnerId, admin]));
  const removedIds = new Set(plan.removed.map(({ id }) => id));
  /** Holders of e-mail addresses; null for an admin whom this plan adds or takes over. */
  const holders = new Map<string, CurrentAdmin | null>(
    admins.filter(({ id }) => !removedIds.has(id)).map((admin) => [key(admin.email), admin]),
  );
  const moves = planMoves(accepted, owned, holders);
  for (const { before } of moves) holders.delete(key(before.email));
  for (const { before, email } of moves) holders.set(key(email), before);
  for (const candidate of accepted) {
    const { learnerId } = candidate;
    const holder = holders.get(key(candidate.email));
    const own = owned.get(learnerId);
    const isJoinable = joinsExistingAdmins && holder?.directoryLearnerId === null && !holder.emergencyAccess;
    const before = own ?? (isJoinable ? holder : undefined);
    if (before) {
      const isTaken = holder !== undefined && holder?.id !== before.id;
      if (isTaken) skipped.push({ learnerId, reason: 'email_taken' });
      const isKept = before.id === last?.id;
      if (isKept) skipped.push({ learnerId, reason: 'last_owner' });
      const after = {
        ...candidate,
        ...(isTaken && { email: before.email }),
        ...(isKept && { role: before.role, roleId: before.roleId }),
        isKept,
      };
      if (differs(before, after)) plan.changed.push({ before, after });
      holders.set(key(after.email), own ?? null);
    } else if (holder === undefined) {
      plan.added.push(candidate);
      holders.set(key(candidate.email), null);
    } else skipped.push({ learnerId, reason: holder?.directoryLearnerId === null ? 'admin_invited' : 'email_taken' });
  }
  return plan;
}

interface Move {
  before: CurrentAdmin;
  email: string;
}

/**
 * Returns the admins of the directory whose e-mail address changes. Starts with all admins whose address should change.
 * Then removes moves to an address that another admin keeps or an earlier move takes, until all moves are compatible.
 */
function planMoves(
  accepted: readonly Candidate[],
  owned: ReadonlyMap<string | null, CurrentAdmin>,
  holders: ReadonlyMap<string, CurrentAdmin | null>,
): Move[] {
  const wanted = accepted.flatMap(({ learnerId, email }): Move[] => {
    const before = owned.get(learnerId);
    return before && key(before.email) !== key(email) ? [{ before, email }] : [];
  });
  for (let moves = wanted; ;) {
    const movingIds = new Set(moves.map(({ before }) => before.id));
    const taken = new Set<string>();
    const fitting = moves.filter(({ email }) => {
      const holder = holders.get(key(email));
      const isFree = !taken.has(key(email)) && (!holder || movingIds.has(holder.id));
      if (isFree) taken.add(key(email));
      return isFree;
    });
    if (fitting.length === moves.length) return moves;
    moves = fitting;
  }
}

/** Selects the users who can become admins. */
function accept(candidates: readonly Candidate[], policy: EmailPolicy) {
  const [accepted, skipped]: [Candidate[], SkippedMember[]] = [[], []];
  for (const candidate of candidates) {
    const { learnerId, email } = candidate;
    if (refuseForeignDomain(email, policy)) skipped.push({ learnerId, reason: 'email_domain_not_allowed' });
    else if (accepted.length >= MAX_PROVISIONED_ADMINS) skipped.push({ learnerId, reason: 'too_many_admins' });
    else accepted.push(candidate);
  }
  return { accepted, skipped };
}

function differs(before: CurrentAdmin, after: ChangedAdmin['after']): boolean {
  const names = ['email', 'firstName', 'lastName', 'role', 'roleId', 'isKept'] as const;
  return (
    !isActive(before) ||
    before.directoryLearnerId !== after.learnerId ||
    names.some((name) => before[name] !== after[name])
  );
}
