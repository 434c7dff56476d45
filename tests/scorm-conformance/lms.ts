import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createPersonToken, hashPersonToken } from '../../src/identity/person-token.ts';

/** The newest attempt of the learner, as the service reports it. */
export interface Result {
  isFinished: boolean;
  passed: boolean | null;
  score: number | null;
}

interface CourseResult {
  courseId: string;
  finishDate: string | null;
  score: number | null;
  grade: string | null;
}

/** The service as the check uses it: one learner of a demo company, and a new course for each package. */
export class Lms {
  readonly url: string;
  readonly #key: string;
  readonly #database: string;
  #learner: { id: string; companyId: string } | undefined;

  constructor(options: { url: string; key: string; database: string }) {
    this.url = options.url;
    this.#key = options.key;
    this.#database = options.database;
  }

  /** Returns a secret that signs the learner in. */
  async makeLink(): Promise<string> {
    const { id, companyId } = await this.#getLearner();
    const token = createPersonToken(companyId);
    await this.#query(
      `insert into sign_in_links (company_id, token_hash, learner_id, expires_at) values ($1, $2, $3, now() + interval '1 day')`,
      [companyId, hashPersonToken(token), id],
    );
    return token;
  }

  /** Creates a course with a package and enrols the learner. Returns the course and the report of the upload. */
  async createCourse(name: string, bytes: Buffer): Promise<{ id: string; report: Record<string, any> }> {
    const about = { name: `scorm-${randomUUID()}`, subject: 'SCORM', difficulty: 1, locales: ['en'] };
    const body = { ...about, displayName: name, passMark: 70 };
    const { id } = await this.#call('POST', '/courses', body);
    const report = await this.#call('PUT', `/courses/${id}/package`, bytes);
    await this.#call('POST', '/course-enrollments', {
      courseIds: [id],
      learnerIds: [(await this.#getLearner()).id],
    });
    return { id, report };
  }

  async findResult(courseId: string): Promise<Result> {
    const { id } = await this.#getLearner();
    const results = await this.#call('GET', `/learners/${id}/course-results?limit=100`);
    const own = (results as unknown as CourseResult[]).find((result) => result.courseId === courseId)!;
    const { finishDate, grade, score } = own;
    return { isFinished: finishDate !== null, passed: grade === null ? null : grade === 'pass', score };
  }

  /** Counts the answers that the package has reported. */
  async countInteractions(courseId: string): Promise<number> {
    const { id } = await this.#getLearner();
    const { interactions } = await this.#call('GET', `/learners/${id}/courses/${courseId}/interactions`);
    return (interactions as unknown[]).length;
  }

  async #getLearner() {
    if (this.#learner) return this.#learner;
    const company = await this.#call('GET', '/company');
    const [learner] = (await this.#call('GET', '/learners?limit=1')) as unknown as { id: string }[];
    this.#learner = { id: learner!.id, companyId: company.id as string };
    return this.#learner;
  }

  async #call(method: string, path: string, body?: object): Promise<Record<string, any>> {
    const isFile = Buffer.isBuffer(body);
    const response = await fetch(`${this.url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body && { 'content-type': isFile ? 'application/zip' : 'application/json' }),
      },
      ...(body && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const answer = (await response.json()) as {
      data: Record<string, any>;
      error?: { message: string; details?: object };
    };
    if (response.ok) return answer.data;
    throw new Error(
      `${method} ${path}: ${response.status} ${answer.error?.message} ${JSON.stringify(answer.error?.details)}`,
    );
  }

  async #query(text: string, values: unknown[]): Promise<unknown[]> {
    const client = new pg.Client(this.#database);
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }
}
