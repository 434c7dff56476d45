import type { Schemas } from '../../../contract/contract.ts';
import type { Rows } from '../../../db/rows.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { pagedQuery, type Parameters } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { settledAt } from '../../simulations/events/milestone-rules.ts';
import { didOutcome, MESSAGE_FACTS } from '../../simulations/recipient-repository.ts';
import {
  byLeading,
  isMember,
  isReported,
  LEARNER,
  type ReportLearnerRow,
  type Leading,
  type LearnersFilter,
  sampleLearners,
  selectLearnerId,
  selectLearners,
  splitReportLearner,
} from '../../learners/shared/reported-learners.ts';
import { matchesProfile, NO_PROFILE } from '../../learners/shared/learner-profile.ts';
import type { PeriodTimes } from '../../learners/shared/company-days.ts';
import { ANY_TIME, isSentInPeriod } from '../../simulations/sent-period.ts';

export interface SimulationResultsFilter extends LearnersFilter, PeriodTimes {
  simulationId: string | null;
  outcome: Schemas['SimulationOutcome'] | null;
}

export type SimulationResult = Schemas['SimulationResultWithLearner'];
export interface SimulationResultRow
  extends Omit<SimulationResult, 'simulation' | 'learner' | 'settledAt'>, ReportLearnerRow {
  simulationName: string;
  status: SimulationResult['simulation']['status'];
  startDate: string | null;
  endDate: string | null;
}

export const BY_LEARNER_AND_SIMULATION = { learnerId: 'uuid', simulationId: 'uuid' } as const;

/** Columns of the simulation `s` of a result. */
export const SIMULATION_OF_RESULT = sql`
  s.delivery_method as "deliveryMethod", s.name as "simulationName", s.status, s.start_date as "startDate",
  s.end_date as "endDate"`;

const selectResults = (p: Parameters<SimulationResultsFilter>, learnerId: Sql, recipients: Sql): Sql => sql`
  select ${learnerId} as "learnerId", s.id as "simulationId", ${MESSAGE_FACTS},
         ${SIMULATION_OF_RESULT}, ${LEARNER}
    from ${recipients}
   cross join lateral (
     select s.* from simulations s where s.company_id = ${p.companyId} and s.id = r.simulation_id offset 0) as s
   where ${didOutcome(p)} and ${isSentInPeriod(p)}`;

/** Source of the recipients `r` of reported learners `l`. Looks up the recipients of each learner by index. */
const recipientsOfLearners = (
  leading: Leading,
  p: Parameters<SimulationResultsFilter>,
  continued: (column: Sql) => Sql,
): Sql => sql`
  ${selectLearners(leading, p, continued)}
  cross join lateral (
    select r.* from simulation_recipients r
     where r.company_id = ${p.companyId} and r.learner_id = l.id
       and (${p.simulationId}::uuid is null or r.simulation_id = ${p.simulationId}) offset 0) as r`;

const resultsOfLearners = byLeading((leading) =>
  pagedQuery<SimulationResultsFilter, SimulationResultRow>(
    `simulation_report_${leading}`,
    BY_LEARNER_AND_SIMULATION,
    (p, continued) => selectResults(p, selectLearnerId(leading), recipientsOfLearners(leading, p, continued)),
    { ...sampleLearners(leading), ...ANY_TIME, simulationId: null },
  ),
);

/** Lists the recipients of one simulation in the order of the primary key. */
const resultsOfSimulation = pagedQuery<SimulationResultsFilter, SimulationResultRow>(
  'simulation_report_simulation',
  BY_LEARNER_AND_SIMULATION,
  (p) =>
    selectResults(
      p,
      sql`r.learner_id`,
      sql`
        (select r.* from simulation_recipients r
          where r.company_id = ${p.companyId} and r.simulation_id = ${p.simulationId}) as r
        cross join lateral (
          select l.* from learners l
           where l.company_id = ${p.companyId} and l.id = r.learner_id and ${isReported(p)} and ${isMember(p)}
             and ${matchesProfile(p)}
          offset 0) as l`,
    ),
  { ...NO_PROFILE, ...ANY_TIME, groupId: null },
);

/** Lists the reported learners with each simulation that they are recipients of, ordered by learner and simulation. */
export function listReportedSimulationResults(
  tenant: TenantReader,
  filter: SimulationResultsFilter,
): Rows<SimulationResult> {
  const isOfSimulation = filter.learnerId === null && filter.simulationId !== null;
  return tenant
    .stream(isOfSimulation ? resultsOfSimulation : resultsOfLearners(filter), filter)
    .map(toSimulationResult);
}

/** Nests the simulation and the learner of a row. */
export function toSimulationResult(row: SimulationResultRow): SimulationResult {
  const { learner, others } = splitReportLearner(row);
  const { simulationName, status, startDate, endDate, ...facts } = others;
  return {
    ...facts,
    settledAt: settledAt(facts),
    simulation: { id: facts.simulationId, name: simulationName, status, startDate, endDate },
    learner,
  };
}
