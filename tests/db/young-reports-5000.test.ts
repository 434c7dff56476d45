import { testReports } from './young-reports.ts';

testReports(5000);
