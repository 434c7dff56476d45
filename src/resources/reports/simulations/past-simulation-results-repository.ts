import type { Rows } from '../../../db/rows.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { pagedQuery, type Parameters } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { hasAttributes, NO_PROFILE } from '../../learners/shared/learner-profile.ts';
import { type Past, PAST_SAMPLES, pastLearner, selectPastLearners, wasMember } from '../../learners/shared/past.ts';
import {
  byLeading,
  LEARNER,
  sampleLearners,
  selectLearnerId,
  isNamedOrReported,
} from '../../learners/shared/reported-learners.ts';
import { pastRecipients, pastSimulations } from '../../simulations/past-recipients.ts';
import { didOutcome, MESSAGE_FACTS } from '../../simulations/recipient-repository.ts';
import { ANY_TIME, isSentInPeriod } from '../../simulations/sent-period.ts';
import {
  BY_LEARNER_AND_SIMULATION,
  SIMULATION_OF_RESULT,
  type SimulationResult,
  type SimulationResultRow,
  type SimulationResultsFilter,
  toSimulationResult,
} from './simulation-results-repository.ts';

type PastFilter = SimulationResultsFilter & Past;

const selectResults = (p: Parameters<PastFilter>, learnerId: Sql, recipients: Sql): Sql => sql`
  select ${learnerId} as "learnerId", s.id as "simulationId", ${MESSAGE_FACTS}, ${SIMULATION_OF_RESULT}, ${LEARNER}
    from ${recipients}
   cross join lateral ${pastSimulations(p, sql`o.id = r.simulation_id`)} as s
   where ${isNamedOrReported(p)} and ${didOutcome(p)}
     and ${isSentInPeriod(p)}`;

// OFFSET 0 makes Postgres look up the recipients of each learner. With a join, it would read the recipients of all
// learners.
const resultsOfLearners = byLeading((leading) =>
  pagedQuery<PastFilter, SimulationResultRow>(
    `simulation_report_past_${leading}`,
    BY_LEARNER_AND_SIMULATION,
    (p, continued) => {
      const isOfLearner = sql`
        o.learner_id = l.id and (${p.simulationId}::uuid is null or o.simulation_id = ${p.simulationId})`;
      const recipients = sql`
        ${selectPastLearners(leading, p, continued)}
        cross join lateral (select * from ${pastRecipients(p, isOfLearner)} as one offset 0) as r`;
      return sql`${selectResults(p, selectLearnerId(leading), recipients)} and ${leading === 'learner' ? wasMember(p) : sql`true`}`;
    },
    { ...PAST_SAMPLES, ...sampleLearners(leading), ...ANY_TIME, simulationId: null },
  ),
);

/** Lists the recipients of one simulation in the order of the primary key. */
const resultsOfSimulation = pagedQuery<PastFilter, SimulationResultRow>(
  'simulation_report_past_simulation',
  BY_LEARNER_AND_SIMULATION,
  (p, continued) => {
    const isOfSimulation = sql`o.simulation_id = ${p.simulationId} and ${continued(sql`o.learner_id`)}`;
    const recipients = sql`
      ${pastRecipients(p, isOfSimulation)} as r cross join lateral ${pastLearner(p, sql`o.id = r.learner_id`)} as l`;
    return sql`${selectResults(p, sql`l.id`, recipients)} and ${wasMember(p)} and ${hasAttributes(p)}`;
  },
  { ...PAST_SAMPLES, ...ANY_TIME, ...NO_PROFILE, learnerId: null, groupId: null },
);

/** Lists the same results as `listReportedSimulationResults`, but as of a day. */
export function listPastSimulationResults(tenant: TenantReader, filter: PastFilter): Rows<SimulationResult> {
  const isOfSimulation = filter.learnerId === null && filter.simulationId !== null;
  return tenant
    .stream(isOfSimulation ? resultsOfSimulation : resultsOfLearners(filter), filter)
    .map(toSimulationResult);
}
