import { ApiError } from '../../contract/errors.ts';

/** A limit of `max` messages within `seconds`. */
interface Bound {
  max: number;
  seconds: number;
  /** `seconds` as a string, for the error message. */
  within: string;
}

const HOUR_SECONDS = 3600;
const DAY = { seconds: 86_400, within: '24 hours' };

/**
 * Limits on invitations from one company to one e-mail address. Two are allowed in a row, so that a lost invitation can
 * be sent again.
 */
const INVITES_FROM_COMPANY: Bound[] = [
  { max: 2, seconds: 300, within: '5 minutes' },
  { max: 5, ...DAY },
];
/** Limit on invitations from all companies to one e-mail address. */
const INVITES_TO_ADDRESS: Bound = { max: 10, ...DAY };
const INVITES_OF_COMPANY: Bound[] = [{ max: 200, ...DAY }];

/**
 * Maximum number of messages from one company to one e-mail address within 24 hours, including invitations. Other
 * notices do not count.
 */
export const MAX_TO_LEARNER_A_DAY = 20;
/**
 * Maximum number of messages from one company to its learners within 24 hours: a base, plus a number for each active
 * learner.
 */
export const MAX_OF_COMPANY_A_DAY = { base: 100, eachLearner: 10 };

/** Ages in seconds of the invitations of the last 24 hours, latest first. */
export interface InviteAges {
  /** Invitations from the calling company to the address. */
  fromCompany: number[];
  /** Invitations from any company to the address. */
  toAddress: number[];
  ofCompany: number[];
}

/** Requires that another invitation is allowed. @throws rate_limited with the time to wait */
export function requireInvitePlace({ fromCompany, toAddress, ofCompany }: InviteAges): void {
  const waits = [
    ...INVITES_FROM_COMPANY.map((bound) =>
      waitFor(`to this address (${formatBound(bound)})`, getWaitSeconds(bound, fromCompany)),
    ),
    ...INVITES_OF_COMPANY.map((bound) =>
      waitFor(`from the company (${formatBound(bound)})`, getWaitSeconds(bound, ofCompany)),
    ),
    // Rounds to hours and omits the number of messages: a company must not learn when others invited the person.
    waitFor('to this address', Math.ceil(getWaitSeconds(INVITES_TO_ADDRESS, toAddress) / HOUR_SECONDS) * HOUR_SECONDS),
  ];
  const { which, seconds } = waits.reduce((maxLength, wait) => (wait.seconds > maxLength.seconds ? wait : maxLength));
  if (seconds === 0) return;
  const message = `Too many invitations ${which}; try again in ${seconds} seconds.`;
  throw new ApiError('rate_limited', message, { headers: { 'Retry-After': String(seconds) } });
}

const waitFor = (which: string, seconds: number) => ({ which, seconds });
const formatBound = ({ max, within }: Bound) => `${max} in ${within}`;

/** Returns the seconds until the limit allows another message; 0 if it allows one now. */
function getWaitSeconds({ max, seconds }: Bound, ages: number[]): number {
  const age = ages[max - 1];
  return age === undefined ? 0 : Math.max(0, Math.ceil(seconds - age));
}
