// Compares the reports on an imported record with sums that are computed from the import.
import assert from 'node:assert/strict';
import type { Client } from './import-client.ts';
import * as facts from './import-facts.ts';

const YEARS = Array.from({ length: facts.YEARS }, (_, year) => year);
const LAST = facts.YEARS - 1;

interface ResultRow {
  score: number;
  grade: 'pass' | 'fail';
  finishDate: string;
  attempt: number;
  attempts: number;
}

function sumRows(rows: readonly ResultRow[]): facts.Sums {
  return {
    rows: rows.length,
    score: rows.reduce((sum, { score }) => sum + score, 0),
    passed: rows.filter(({ grade }) => grade === 'pass').length,
  };
}

const count = (number: number): string => number.toLocaleString('en');

/** Audits the attempts of each year, selected by `from` and `to`. */
export async function auditPeriods(client: Client): Promise<string> {
  for (const year of YEARS) {
    const period = `from=${facts.startOf(year)}&to=${facts.endOf(year)}`;
    const rows: ResultRow[] = await client.get(`/reports/course-results?${period}`);
    assert.deepEqual(sumRows(rows), facts.sumsOf(year), `the results of ${period}`);
    assert(rows.every(({ attempt, attempts }) => attempt === year + 1 && attempts === year + 1));
  }
  return `${count(facts.TRAINED)} rows a year; scores, pass marks and attempts as imported`;
}

/** Audits the end of each year by the newest attempts and by all attempts. */
export async function auditDays(client: Client): Promise<string> {
  for (const year of YEARS) {
    const asOf = facts.endOf(year);
    const newest: ResultRow[] = await client.get(`/reports/course-results?asOf=${asOf}`);
    assert.deepEqual(sumRows(newest), facts.sumsOf(year), `the newest attempts as of ${asOf}`);
    const all: ResultRow[] = await client.get(`/reports/course-results?asOf=${asOf}&attempts=all`);
    for (let earlier = 0; earlier <= year; earlier++) {
      const ofYear = all.filter(({ finishDate }) => finishDate.startsWith(String(facts.yearOf(earlier))));
      assert.deepEqual(
        sumRows(ofYear),
        facts.sumsOf(earlier),
        `the attempts of ${facts.yearOf(earlier)} as of ${asOf}`,
      );
    }
    assert.equal(all.length, (year + 1) * facts.TRAINED);
  }
  return `${count(facts.TRAINED)} newest attempts, up to ${count(facts.YEARS * facts.TRAINED)} attempts`;
}

/** Audits the members of both groups at the end of each year. */
export async function auditGroups(client: Client, groupIds: readonly string[]): Promise<string> {
  for (const year of YEARS) {
    const asOf = facts.endOf(year);
    const { groups } = await client.get(`/reports/groups?asOf=${asOf}`);
    for (const [group, groupId] of groupIds.entries()) {
      const rows: ResultRow[] = await client.get(`/reports/course-results?asOf=${asOf}&groupId=${groupId}`);
      const expected = facts.sumsOf(year, (learner) => facts.groupOf(learner, year) === group);
      assert.deepEqual(sumRows(rows), expected, `the results of group ${group} as of ${asOf}`);
      const figures = groups.find(({ id }: { id: string }) => id === groupId);
      assert.equal(figures.learnerCount, expected.rows, `the members of group ${group} as of ${asOf}`);
    }
  }
  return `${count(facts.TRAINED / 2)} members in each group, before and after the move`;
}

/** Audits the signatures that were in force at the end of each year, and their versions. */
export async function auditSignatures(client: Client, versionIds: readonly string[]): Promise<string> {
  for (const year of YEARS) {
    const asOf = facts.endOf(year);
    const rows: any[] = await client.get(`/reports/policy-results?asOf=${asOf}&outcome=signed`);
    const ofYear = rows.filter(({ signed, signedVersionId }) => {
      return signed.startsWith(String(facts.yearOf(year))) && signedVersionId === versionIds[year];
    });
    assert.deepEqual([rows.length, ofYear.length], [facts.SIGNERS, facts.SIGNERS], `the signatures as of ${asOf}`);
  }
  return `${count(facts.SIGNERS)} signatures a year, each on the version of its time`;
}

/** Checks that reports as known before the import contain nothing of it. */
export async function auditKnowledge(client: Client): Promise<string> {
  const day = facts.endOf(LAST);
  for (const report of ['course-results', 'policy-results'])
    assert.deepEqual(rowsOf(await client.get(`/reports/${report}?asOf=${day}&knownAt=${day}`)), []);
  return 'no row';
}

/** Reads the reports of last year that everybody's next enrolment must not change. */
export async function readLastYear(client: Client): Promise<unknown[]> {
  const period = `from=${facts.startOf(LAST)}&to=${facts.endOf(LAST)}`;
  const asOf = `asOf=${facts.endOf(LAST)}`;
  const reports = [];
  for (const query of [period, `${period}&attempts=all`, asOf]) {
    reports.push(rowsOf(await client.get(`/reports/course-results?${query}`)));
    reports.push(rowsOf(await client.get(`/reports/learning?${query}`)));
  }
  return reports;
}

/** Checks that everybody has an open attempt after the yearly enrolment. */
export async function auditOpen(client: Client): Promise<void> {
  const rows: ResultRow[] = await client.get('/reports/course-results');
  assert.equal(rows.length, facts.LEARNERS);
  assert(rows.every(({ finishDate }) => finishDate === null));
  assert.equal(rows.filter(({ attempts }) => attempts === facts.YEARS + 1).length, facts.TRAINED);
}

function rowsOf(data: any): unknown[] {
  return Array.isArray(data) ? data : [data.summary, ...data.rows];
}
