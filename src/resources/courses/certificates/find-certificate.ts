import type pg from 'pg';

/** What a number tells whoever has it, and the name to compare with. */
export interface FoundCertificate {
  companyName: string;
  courseName: string;
  /** Calendar date. */
  finishDate: string;
  /** Not to be shown. */
  holder: string;
}

interface Row {
  company_name: string;
  course_name: string;
  finish_date: string;
  holder: string;
}

/** Finds the certificate of a number, in whichever company. */
export class Certificates {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async find(number: string): Promise<FoundCertificate | undefined> {
    const { rows } = await this.#pool.query<Row>({
      name: 'find_certificate',
      text: 'select * from find_certificate($1)',
      values: [number],
    });
    const row = rows[0];
    if (!row) return undefined;
    const { company_name: companyName, course_name: courseName, finish_date: finishDate, holder } = row;
    return { companyName, courseName, finishDate, holder };
  }
}
