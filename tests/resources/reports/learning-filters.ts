import { companies, type CompanyName } from '../../support/world.ts';
import { asLearningReport, type Enrolled, enrolledIn } from './report-state.ts';

export interface LearningFilters {
  learnerId?: string;
  courseId?: string;
  status?: string;
  simulationId?: string;
  outcome?: string;
  companyId?: string;
}

const HAS_STATUS: Record<string, (enrolled: Enrolled) => boolean> = {
  not_started: ({ result }) => result.startDate === null,
  in_progress: ({ result }) => result.startDate !== null && result.finishDate === null,
  unfinished: ({ result }) => result.finishDate === null,
  finished: ({ result }) => result.finishDate !== null,
};
const MILESTONES: Record<string, string> = {
  opened: 'opened_at',
  visited: 'visited_at',
  compromised: 'compromised_at',
  reported: 'reported_at',
};

/** Builds the expected learning report of a company in TypeScript, without SQL filters. */
export async function narrowedReport(
  company: CompanyName,
  filters: LearningFilters,
): Promise<ReturnType<typeof asLearningReport>> {
  const { learnerId, courseId, status, simulationId, outcome } = filters;
  const recipients = await testService.query('select * from simulation_recipients where company_id = $1', [
    companies[company],
  ]);
  const chosen = new Set(
    recipients
      .filter(
        (row) => row.simulation_id === simulationId && (outcome === undefined || row[MILESTONES[outcome]!] !== null),
      )
      .map((row) => row.learner_id as string),
  );
  const enrolled = (await enrolledIn(company))
    .filter(({ learner }) => (learnerId === undefined ? !learner.inactive : learner.id === learnerId))
    .filter(({ course }) => (courseId === undefined ? course.type === 'training' : course.id === courseId))
    .filter((one) => status === undefined || HAS_STATUS[status]!(one))
    .filter(({ learner }) => simulationId === undefined || chosen.has(learner.id));
  return asLearningReport(enrolled);
}
