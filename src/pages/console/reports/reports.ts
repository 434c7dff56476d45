import { dueReport } from './due-report.ts';
import { overdueReport } from './overdue-report.ts';
import { participationReport } from './participation-report.ts';
import { policiesReport } from './policies-report.ts';
import type { Report, ReportName } from './report.ts';
import { riskReport } from './risk-report.ts';
import { simulationsReport } from './simulations-report.ts';

export const REPORTS: Readonly<Record<ReportName, Report>> = {
  participation: participationReport,
  overdue: overdueReport,
  simulations: simulationsReport,
  risk: riskReport,
  policies: policiesReport,
  due: dueReport,
};
