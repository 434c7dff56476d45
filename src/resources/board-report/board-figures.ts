import type { Schemas } from '../../contract/contract.ts';
import type { Language } from '../../contract/languages.ts';

/** Length of the report's period, which is compared with the period before it. */
export type BoardPeriod = 'week' | 'month' | 'quarter';

/** Number of days in each period. */
export const PERIOD_DAYS: Readonly<Record<BoardPeriod, number>> = { week: 7, month: 30, quarter: 91 };

/** Figures of the report: plain data that can be passed to the thread that draws it. */
export interface BoardFigures {
  language: Language;
  /** First and last day of the period. */
  from: string;
  to: string;
  /** The company now, with the simulations of the period. */
  now: Schemas['GroupReportCompany'];
  /** The company on the day before the period, with the simulations of the previous period. */
  before: Schemas['GroupReportCompany'];
  departments: readonly Schemas['DepartmentReportRow'][];
  risk: readonly { date: string; averageScore: number }[];
  overdue: readonly Schemas['OverdueFigures'][];
  due: readonly Schemas['DueFigures'][];
}
