import type { Schemas } from '../../../contract/contract.ts';
import type { Rows } from '../../../db/rows.ts';
import { sql } from '../../../db/sql.ts';
import { pagedQuery } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { type Past, PAST_SAMPLES, selectPastLearners } from '../../learners/shared/past.ts';
import {
  byLeading,
  isReported,
  LEARNER,
  sampleLearners,
  selectLearnerId,
} from '../../learners/shared/reported-learners.ts';
import { hasPastAttempts, pastAttempts, pastCourse } from './past-attempts.ts';
import { ANY_ATTEMPT } from './reported-attempts.ts';
import {
  BY_ATTEMPT,
  type ReportFilter,
  resultColumns,
  type ResultWithLearnerRow,
  toResultWithLearner,
} from './result-repository.ts';

type PastFilter = ReportFilter & Past;

const pastResults = byLeading((leading) =>
  pagedQuery<PastFilter, ResultWithLearnerRow>(
    `result_report_past_${leading}`,
    BY_ATTEMPT,
    (p, continued) => sql`
      select ${resultColumns(selectLearnerId(leading))}, ${LEARNER}
        from ${selectPastLearners(leading, p, continued)}
       cross join lateral ${pastAttempts(p, sql`l.id`)} as e
       cross join lateral ${pastCourse(p)} as c
       where c.type = ${p.type} and ${isReported(p)} and ${hasPastAttempts(p)}`,
    { ...sampleLearners(leading), ...ANY_ATTEMPT, ...PAST_SAMPLES, type: 'training' },
  ),
);

/** Lists the same results as `listResults`, but as of a past day. */
export function listPastResults(tenant: TenantReader, filter: PastFilter): Rows<Schemas['CourseResultWithLearner']> {
  return tenant.stream(pastResults(filter), filter).map(toResultWithLearner);
}
