import { ApiError } from '../errors.ts';

/** No more than `most` messages within any `seconds`. */
interface Bound {
  most: number;
  seconds: number;
  /** The time in words. */
  within: string;
}

const DAY = { seconds: 86_400, within: '24 hours' };

/** The second lets an admin have a lost invitation sent again at once. */
const INVITES_TO_ADDRESS: Bound[] = [
  { most: 2, seconds: 300, within: '5 minutes' },
  { most: 5, ...DAY },
];
const INVITES_OF_COMPANY: Bound[] = [{ most: 200, ...DAY }];

/** Messages of every kind that one address gets from a company within 24 hours. */
export const MOST_TO_LEARNER_A_DAY = 20;
/** What a company may send to its learners within 24 hours: so many, and so many more for each active learner. */
export const MOST_OF_COMPANY_A_DAY = { base: 100, eachLearner: 10 };

/** How many seconds ago invitations were queued, the latest first. */
export interface InviteAges {
  /** To the address, by whichever company. */
  toAddress: number[];
  ofCompany: number[];
}

/** Whether an invitation may follow those that there were. @throws rate_limited with the wait, when it may not yet */
export function requireInvitePlace({ toAddress, ofCompany }: InviteAges): void {
  const waits = [
    ...INVITES_TO_ADDRESS.map((bound) => ({ what: 'to this address', bound, seconds: waitOf(bound, toAddress) })),
    ...INVITES_OF_COMPANY.map((bound) => ({ what: 'of the company', bound, seconds: waitOf(bound, ofCompany) })),
  ];
  const { what, bound, seconds } = waits.reduce((longest, wait) => (wait.seconds > longest.seconds ? wait : longest));
  if (seconds === 0) return;
  const message = `Too many invitations ${what} (${bound.most} in ${bound.within}); try again in ${seconds} seconds.`;
  throw new ApiError('rate_limited', message, { headers: { 'Retry-After': String(seconds) } });
}

/** Whole seconds until a bound has room; 0 when it has. */
function waitOf({ most, seconds }: Bound, ages: number[]): number {
  const age = ages[most - 1];
  return age === undefined ? 0 : Math.max(0, Math.ceil(seconds - age));
}
