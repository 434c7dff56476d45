export interface Playbook {
  title: string;
  steps: string[];
}

/** Routines of somebody who runs an awareness programme, by the name that the help knows them by. */
export const PLAYBOOKS: Record<string, Playbook> = {
  'monthly-report': {
    title: 'Report to the management',
    steps: [
      'service_get_company: how many learners there are, and which modules.',
      'service_get_report with kind learning and limit 1: take the summary, leave the rows.',
      'service_get_simulation_metrics with limit 10: totals, and the latest simulations (the last page holds the newest).',
      'service_get_report with kind risk_score_history: compare the first and the last day.',
      'Give rates with the numbers they are made of, such as 21 of 120 messages.',
    ],
  },
  'after-a-simulation': {
    title: 'Find out how the last simulation went',
    steps: [
      'service_list_simulations: the newest completed or running one; go to the last page by its cursor.',
      'service_get_simulation with limit 1: counts, and the timeline of each day.',
      'Compare its rates with service_get_simulation_metrics: compromised and reported by what was sent.',
      'service_get_simulation with outcome visited: who clicked; compromised: who gave data away.',
      'Who of them has not finished a course: service_get_learner_activity with kind course_results for each; for many,' +
        ' service_get_report with kind learning and courseId, whose rows have a status.',
    ],
  },
  'unfinished-training': {
    title: 'Find who has not finished a course',
    steps: [
      'service_list_courses: the id of the course.',
      'service_get_report with kind learning and courseId: the summary tells enrolled and finished; rows have a status of' +
        ' not_started, in_progress or finished.',
      'Go on by cursor only as far as the question needs.',
      'Reminders are sent over the REST API or the platform console: this server only reads.',
    ],
  },
  'new-breach': {
    title: 'Judge a data breach in the news',
    steps: [
      'service_list_breach_services with hasAffectedAccounts true: is the service among them, and what leaked?',
      'service_list_breach_accounts with accountType activeLearner: who is exposed.',
      'service_get_learner for the risk level of those, service_get_learner_activity with kind course_results for whether' +
        ' they were trained on passwords.',
      'If breach data is unavailable, say so; do not conclude that nobody is exposed.',
    ],
  },
  'review-clients': {
    title: 'Review the clients of an MSP or distributor',
    steps: [
      'service_list_companies: clients, their plans, which of them are on trial and how near to their learner limit.',
      'For each client that matters, with its companyId: service_get_report with kind learning and limit 1,' +
        ' service_get_simulation_metrics with limit 1.',
      'Keep the answers of clients apart, and never show one of them what belongs to another.',
    ],
  },
};
