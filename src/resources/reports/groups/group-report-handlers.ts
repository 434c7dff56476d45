import type { Handler } from '../../../contract/contract.ts';
import { readDepartments, readGroupReport } from './read-group-report.ts';

export const getGroupReport: Handler<'getGroupReport'> = (input, tenant) => readGroupReport(tenant, input);

export const getDepartmentReport: Handler<'getDepartmentReport'> = (_input, tenant) => readDepartments(tenant);
