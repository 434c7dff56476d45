import { Temporal } from 'temporal-polyfill';
import { type ApiError, invalidField, refusalError } from '../../../contract/errors.ts';

/**
 * Time of day, in the company's time zone, from which reports are sent: seven in the morning, in milliseconds since
 * midnight.
 */
const MORNING_MS = 7 * 3_600_000;
const MAX_SCHEDULES = 20;

/** Days on which a schedule sends its report. */
export interface Days {
  period: 'month' | 'quarter' | 'year';
  day: number;
  /** Month of a yearly report, or one of the months of a quarterly report. */
  month: number;
}

const MONTHS: Readonly<Record<Days['period'], number>> = { month: 1, quarter: 3, year: 12 };

/** Returns a schedule's latest day on or before a calendar date. */
export function findLatestDueOn({ period, day, month }: Days, today: string): string {
  const now = Temporal.PlainDate.from(today);
  const step = MONTHS[period];
  const inMonth = now.with({ day });
  // A non-negative remainder: the months since the last month of the schedule.
  const monthsSince = (((now.month - month) % step) + step) % step;
  const latest = inMonth.subtract({ months: monthsSince });
  return (Temporal.PlainDate.compare(latest, now) > 0 ? latest.subtract({ months: step }) : latest).toString();
}

/** Returns a schedule's first day after a calendar date. */
export function findNextDueOn(days: Days, today: string): string {
  return Temporal.PlainDate.from(findLatestDueOn(days, today)).add({ months: MONTHS[days.period] }).toString();
}

/** Returns the first day of the month, quarter or year that ends on a day. */
export function findPeriodStart({ period }: Pick<Days, 'period'>, to: string): string {
  return Temporal.PlainDate.from(to).subtract({ months: MONTHS[period] }).add({ days: 1 }).toString();
}

/** Returns a time on the latest day whose reports can be sent: today, or yesterday if it is not yet seven o'clock. */
export function toReportTime(now: Date): Date {
  return new Date(now.getTime() - MORNING_MS);
}

/** Requires that the company can create another schedule. @throws {ApiError} `invalid_request` */
export function requireSchedulePlace(schedules: number): void {
  if (schedules >= MAX_SCHEDULES) throw invalidField('body', `would exceed the maximum of ${MAX_SCHEDULES} schedules`);
}

/** E-mail addresses to which a company can send its report. */
export interface CompanyAddresses {
  /** Addresses of active admins and learners, in lower case. */
  people: ReadonlySet<string>;
  /** Domains of the company, in lower case. */
  domains: ReadonlySet<string>;
  /** Domains of the active admins, in lower case. */
  adminDomains: ReadonlySet<string>;
  /** Domains of free e-mail providers, in lower case. */
  freeMail: ReadonlySet<string>;
}

/** Reports whether a company can send its report to an address. */
export function isAllowedAddress(
  email: string,
  { people, domains, adminDomains, freeMail }: CompanyAddresses,
): boolean {
  const address = email.toLowerCase();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return people.has(address) || domains.has(domain) || (adminDomains.has(domain) && !freeMail.has(domain));
}

/** Requires that the addresses are allowed and differ from each other. @throws {ApiError} `invalid_request` */
export function judgeRecipients(recipients: readonly { email: string }[], known: CompanyAddresses): void {
  const addresses = recipients.map(({ email }) => email.toLowerCase());
  const repeated = addresses.findIndex((address, index) => addresses.indexOf(address) < index);
  if (repeated !== -1) throw refuse([repeated], 'The address is in the list twice; remove one of the two.');
  const foreign = [...addresses.keys()].filter((index) => !isAllowedAddress(addresses[index]!, known));
  if (foreign.length > 0)
    throw refuse(foreign, 'Use the address of an active admin or learner, or one in a domain of the company.');
}

function refuse(indexes: readonly number[], message: string): ApiError {
  const fields = indexes.map((index) => `recipients/${index}/email`);
  return refusalError({ code: 'invalid_request', message, fields });
}
