import { askPage, Learner } from '../../support/learner.ts';
import { type CompanyName, learnerId, ownCourseId } from '../../support/world.ts';

export const PACKAGE_PATH = `/learn/packages/${ownCourseId('tenant')}`;

/** A learner who plays a course with a package. */
export class PackageLearner {
  readonly learner: Learner;
  readonly path: string;

  constructor(learner: Learner, path = PACKAGE_PATH) {
    this.learner = learner;
    this.path = path;
  }

  static async of(number: 1 | 2 | 3 | 4 | 5, company: CompanyName = 'tenant'): Promise<PackageLearner> {
    return new PackageLearner(await Learner.of(company, number), `/learn/packages/${ownCourseId(company)}`);
  }

  /** Presses the button that opens the package. Returns the token of the window, or undefined if no window opened. */
  async open(): Promise<string | undefined> {
    const page = await this.learner.post(this.path);
    expect(page.status).toBe(303);
    return page.headers.get('location')!.split('/')[4];
  }

  /** Sends a report of the package, as the script of the page does. */
  async saveState(token: string, report: object): Promise<{ status: number; isFinished: boolean | undefined }> {
    const { html } = await this.learner.get('/learn');
    const formToken = /name="form_token" value="([^"]+)"/.exec(html)![1]!;
    const headers = { cookie: this.learner.cookie, 'x-form-token': formToken, 'content-type': 'application/json' };
    const page = await askPage(`${this.path}/${token}`, { method: 'POST', headers, body: JSON.stringify(report) });
    const isFinished = page.status === 200 ? (JSON.parse(page.html) as { isFinished: boolean }).isFinished : undefined;
    return { status: page.status, isFinished };
  }
}

/** Returns a learner's enrolment in the course with the package. */
export async function findEnrolment(number: 1 | 2 | 3 | 4 | 5): Promise<Record<string, unknown> | undefined> {
  const [row] = await testService.query(
    `select attempt, start_date is not null as begun, finish_date is not null as finished, score::float8, passed
       from enrollments where learner_id = $1 and course_id = $2`,
    [learnerId('tenant', number), ownCourseId('tenant')],
  );
  return row;
}

/** Returns the stored state of the package for a learner. */
export async function stateOf(number: 1 | 2 | 3 | 4 | 5): Promise<unknown> {
  const [row] = await testService.query('select state from package_progress where learner_id = $1', [
    learnerId('tenant', number),
  ]);
  return row?.state;
}
