import type { Schemas } from '../../contract/contract.ts';
import type { Language } from '../../contract/languages.ts';

/** The period that the report compares with the one before. */
export type BoardPeriod = 'week' | 'month' | 'quarter';

/** Days of a period. */
export const PERIOD_DAYS: Readonly<Record<BoardPeriod, number>> = { week: 7, month: 30, quarter: 91 };

/** The figures of the report: plain data, which the thread that draws it receives. */
export interface BoardFigures {
  language: Language;
  /** First and last day of the period. */
  from: string;
  to: string;
  /** The company now, with the simulations of the period. */
  now: Schemas['GroupReportCompany'];
  /** The company on the day before the period, with the simulations of the period before. */
  before: Schemas['GroupReportCompany'];
  departments: readonly Schemas['DepartmentReportRow'][];
  risk: readonly { date: string; averageScore: number }[];
  overdue: readonly Schemas['OverdueFigures'][];
  due: readonly Schemas['DueFigures'][];
}
