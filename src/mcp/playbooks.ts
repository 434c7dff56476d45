export interface Playbook {
  title: string;
  steps: string[];
}

/** Common tasks of a person who runs an awareness programme, by their names in the help. */
export const PLAYBOOKS: Record<string, Playbook> = {
  'monthly-report': {
    title: 'Report to management',
    steps: [
      'service_get_company: how many learners there are, and which modules.',
      'service_get_report with kind learning and limit 1: take the summary, leave the rows.',
      'service_get_simulation_metrics with limit 1: the totals, and how many simulations there are. The newest are last:' +
        ' call again with limit 10 and, if total is above 10, with a cursor of total minus 10.',
      'service_get_report with kind risk_score_history and limit 200: compare the first and the last day. That is 90 days' +
        ' unless from says otherwise; if there is a nextCursor, the last day is on a later page.',
      'Give rates with their numbers, such as 21 of 120 messages.',
    ],
  },
  'after-a-simulation': {
    title: 'Find out how the last simulation went',
    steps: [
      'service_list_simulations with limit 200: the newest completed or running one. The newest are last; if there are' +
        ' more, a cursor a little below total leads to them.',
      'service_get_simulation with limit 1: counts, and the timeline of each day.',
      'Compare its rates with service_get_simulation_metrics: compromised and reported by what was sent.',
      'service_get_simulation with outcome visited: who clicked; compromised: who gave data away.',
      'Who clicked and has training to finish: service_get_report with kind learning, simulationId, outcome visited,' +
        ' status unfinished and limit 200. That is one call, not one for each person; learnerCount says how many they are.',
      'Which course is meant: one by name, then courseId from service_list_courses; one given because of the simulation,' +
        ' then the course that its plan names, or, where it names none, rows enrolled on its day or later (enrollDate); or any.',
      'Inactive learners, and those enrolled in nothing, have no rows: without status, learnerCount is how many of them' +
        ' are enrolled at all.',
    ],
  },
  'unfinished-training': {
    title: 'Find who has not finished a course',
    steps: [
      'service_list_courses: the id of the course.',
      'service_get_report with kind learning, courseId and limit 1: the summary has enrolled and finished.',
      'The same with status unfinished and limit 200: who they are, and whether they have started. Use cursor only as' +
        ' far as the question needs.',
      'Reminders are sent over the REST API or the platform console: this server only reads.',
    ],
  },
  'people-at-risk': {
    title: 'Find who is at high risk, and why',
    steps: [
      'service_list_learners with riskScoreLevel critical and limit 200, then with high: who they are, and how many.' +
        ' Leave out those who are inactive.',
      'service_list_groups: the names of their groupIds. If they are all in one group, say so before you name people.',
      'Why, for the few that matter: service_get_learner_activity with kind course_results, simulation_results and' +
        ' policy_results. The level is judged each night: what happened today is not in it.',
      'service_get_report with kind risk_score_history: how many were at each level before.',
    ],
  },
  'unsigned-policy': {
    title: 'Find who has not signed a policy',
    steps: [
      'service_list_policies with publishedOnly true: the id of the policy.',
      'service_get_policy with outcome unsigned and limit 200: who they are, when they were asked and reminded. total is how' +
        ' many; use cursor only as far as the question needs.',
      'assignedCount and signedCount of the same result give the rate. Neither counts inactive learners.',
      'mailFailedAt names those whom the mail did not reach: correct their address before you remind them.',
      'Reminders are sent over the REST API or the platform console: this server only reads.',
    ],
  },
  overdue: {
    title: 'Find where training and signatures are overdue',
    steps: [
      'service_get_report with kind overdue: for each department, the learners and the assignments of campaigns that are' +
        ' open and overdue.',
      'The same question for one learner: service_get_learner_activity with kind course_results and policy_results' +
        ' shows what is not finished or signed.',
      'What happens next: the service reminds learners on the days of the campaign, and tells their managers each week' +
        ' if the campaign escalates. Extending or waiving is done over the REST API.',
    ],
  },
  'new-breach': {
    title: 'Assess a data breach in the news',
    steps: [
      'service_list_breach_services with hasAffectedAccounts true: is the service among them, and what leaked?',
      'service_list_breach_accounts with accountType activeLearner: who is exposed.',
      'service_get_learner for the risk level of those, service_get_learner_activity with kind course_results for whether' +
        ' they were trained on passwords.',
      'If breach data is unavailable, or coverage has no watched domain or names one as unavailable, say so; do not conclude' +
        ' that nobody is exposed.',
    ],
  },
  'review-clients': {
    title: 'Review the clients of an MSP or distributor',
    steps: [
      'service_list_companies: clients, their plans, which are on trial and how close they are to their learner limit.',
      'For each client that matters, with its companyId: service_get_report with kind learning and limit 1,' +
        ' service_get_simulation_metrics with limit 1.',
      "Keep the clients' data apart, and never show one client the data of another.",
    ],
  },
};
