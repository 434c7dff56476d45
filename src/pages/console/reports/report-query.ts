import type { Request } from 'express';
import { calendarDate } from '../../../contract/calendar-dates.ts';
import { isId } from '../../../db/ids.ts';

/** The filters of the reports. A page shows only the filters that its operation has. */
export type FilterName = 'by' | 'from' | 'to' | 'asOf' | 'policyId';

const DAYS = ['from', 'to', 'asOf'] as const;
const IDS = ['groupId', 'managerId', 'policyId'] as const;

/** Parts of a company by which a report can group its rows. */
const PARTS = ['department', 'group', 'manager'] as const;
export type Part = (typeof PARTS)[number];

/** The query of a report page. A value that is missing or invalid is undefined. */
export type ReportQuery = Readonly<
  Partial<Record<(typeof DAYS)[number] | (typeof IDS)[number] | 'department' | 'cursor', string>>
> & { readonly by: Part | undefined };

/** Maximum number of characters of a department, as in the contract. */
const MAX_DEPARTMENT_LENGTH = 200;

/** Reads the query of a report page. The operations reject combinations of values that contradict each other. */
export function readReportQuery({ query }: Pick<Request, 'query'>): ReportQuery {
  const text = (name: string) => {
    const value = query[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const department = text('department');
  return {
    ...Object.fromEntries(DAYS.map((name) => [name, calendarDate(text(name) ?? '')])),
    ...Object.fromEntries(IDS.map((name) => [name, isId(text(name) ?? '') ? text(name) : undefined])),
    by: PARTS.find((part) => part === text('by')),
    ...(department && department.length <= MAX_DEPARTMENT_LENGTH && { department }),
    cursor: text('cursor'),
  };
}
