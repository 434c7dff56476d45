import { ApiError } from '../errors.ts';

/** No more than `most` messages within any `seconds`. */
interface Bound {
  most: number;
  seconds: number;
  /** The time in words. */
  within: string;
}

const HOUR_SECONDS = 3600;
const DAY = { seconds: 86_400, within: '24 hours' };

/** Of one company to one address. The second lets an admin have a lost invitation sent again at once. */
const INVITES_FROM_COMPANY: Bound[] = [
  { most: 2, seconds: 300, within: '5 minutes' },
  { most: 5, ...DAY },
];
/** By all companies together. */
const INVITES_TO_ADDRESS: Bound = { most: 10, ...DAY };
const INVITES_OF_COMPANY: Bound[] = [{ most: 200, ...DAY }];

/** Messages of every kind that one address gets from a company within 24 hours. */
export const MAX_TO_LEARNER_A_DAY = 20;
/** What a company may send to its learners within 24 hours: so many, and so many more for each active learner. */
export const MAX_OF_COMPANY_A_DAY = { base: 100, eachLearner: 10 };

/** How many seconds ago invitations were queued, the latest first. */
export interface InviteAges {
  /** To the address, by the company that asks. */
  fromCompany: number[];
  /** To the address, by whichever company. */
  toAddress: number[];
  ofCompany: number[];
}

/** Whether an invitation may follow those that there were. @throws rate_limited with the wait, when it may not yet */
export function requireInvitePlace({ fromCompany, toAddress, ofCompany }: InviteAges): void {
  const waits = [
    ...INVITES_FROM_COMPANY.map((bound) => waitFor(`to this address (${inWords(bound)})`, waitOf(bound, fromCompany))),
    ...INVITES_OF_COMPANY.map((bound) => waitFor(`of the company (${inWords(bound)})`, waitOf(bound, ofCompany))),
    // In whole hours, and without their number: when others have invited whom is not this company's business.
    waitFor('to this address', Math.ceil(waitOf(INVITES_TO_ADDRESS, toAddress) / HOUR_SECONDS) * HOUR_SECONDS),
  ];
  const { which, seconds } = waits.reduce((longest, wait) => (wait.seconds > longest.seconds ? wait : longest));
  if (seconds === 0) return;
  const message = `Too many invitations ${which}; try again in ${seconds} seconds.`;
  throw new ApiError('rate_limited', message, { headers: { 'Retry-After': String(seconds) } });
}

const waitFor = (which: string, seconds: number) => ({ which, seconds });
const inWords = ({ most, within }: Bound) => `${most} in ${within}`;

/** Whole seconds until a bound has room; 0 when it has. */
function waitOf({ most, seconds }: Bound, ages: number[]): number {
  const age = ages[most - 1];
  return age === undefined ? 0 : Math.max(0, Math.ceil(seconds - age));
}
