import type { Schemas } from '../../../contract/contract.ts';
import type { Rows } from '../../../db/rows.ts';
import { sql } from '../../../db/sql.ts';
import { pagedQuery } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { type Past, PAST_SAMPLES, selectPastLearners, wasMember } from '../../learners/shared/past.ts';
import {
  byLeading,
  LEARNER,
  sampleLearners,
  selectLearnerId,
  isNamedOrReported,
} from '../../learners/shared/reported-learners.ts';
import { pastRecipients } from '../../simulations/past-recipients.ts';
import { ANY_TIME } from '../../simulations/sent-period.ts';
import {
  type RepeatClickerRow,
  type RepeatClickersFilter,
  selectMessageCounts,
  toRepeatClicker,
} from './repeat-clickers-repository.ts';

type PastFilter = RepeatClickersFilter & Past;

const pastRepeatClickers = byLeading((leading) =>
  pagedQuery<PastFilter, RepeatClickerRow>(
    `repeat_clickers_past_${leading}`,
    { learnerId: 'uuid' },
    (p, continued) => sql`
      select ${selectLearnerId(leading)} as "learnerId", counted.*, ${LEARNER}
        from ${selectPastLearners(leading, p, continued)}
       cross join lateral (${selectMessageCounts(p, pastRecipients(p, sql`o.learner_id = l.id`))}) as counted
       where counted."visitCount" >= ${p.minimum}
         and ${isNamedOrReported(p)}
         and ${leading === 'learner' ? wasMember(p) : sql`true`}`,
    { ...PAST_SAMPLES, ...sampleLearners(leading), ...ANY_TIME, minimum: 0 },
  ),
);

/** Lists the same learners as `listRepeatClickers`, but as of a day. */
export function listPastRepeatClickers(tenant: TenantReader, filter: PastFilter): Rows<Schemas['RepeatClicker']> {
  return tenant.stream(pastRepeatClickers(filter), filter).map(toRepeatClicker);
}
