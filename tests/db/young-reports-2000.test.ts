import { testReports } from './young-reports.ts';

testReports(2000);
