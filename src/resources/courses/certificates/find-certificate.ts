import type pg from 'pg';
import { plainName } from '../../learners/shared/plain-name.ts';
import { formatNumber, lastValidDay, readNumber } from './certificate-rules.ts';

/** Data that anyone who has a certificate's number can see. They never include the holder's name. */
export interface FoundCertificate {
  /** Number of the certificate, in groups. */
  shownNumber: string;
  companyName: string;
  courseName: string;
  /** Day on which the course was passed, a calendar date. */
  finishDate: string;
  /** Last day on which the certificate is valid; null if it does not expire. */
  validUntil: string | null;
  /** Whether the attempt still counts as passed; false after its result was voided. */
  isValid: boolean;
  /** Reports whether a name is the holder's, ignoring case and spaces. */
  isHolder: (name: string) => boolean;
}

interface Row {
  company_name: string;
  course_name: string;
  finish_date: string;
  valid_for_months: number | null;
  holder: string;
  is_valid: boolean;
}

/** Finds certificates of any company by a number that a person entered. */
export class Certificates {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async find(typed: string): Promise<FoundCertificate | undefined> {
    const number = readNumber(typed);
    if (number === undefined) return undefined;
    const { rows } = await this.#pool.query<Row>({
      name: 'find_certificate',
      text: 'select * from find_certificate($1)',
      values: [number],
    });
    const row = rows[0];
    if (!row) return undefined;
    const { company_name: companyName, course_name: courseName, finish_date: finishDate, is_valid: isValid } = row;
    const validUntil = lastValidDay(finishDate, row.valid_for_months);
    const isHolder = (name: string) => plainName(name) === plainName(row.holder);
    return { shownNumber: formatNumber(number), companyName, courseName, finishDate, validUntil, isValid, isHolder };
  }
}
