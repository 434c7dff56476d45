import pg from 'pg';

// Postgres reports the plan of each statement that the service executes, with the rows read, including triggers, their
// functions and foreign keys. `auto_explain` sends the plans to the service's own connections.

const REPORT = {
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_parameter_max_length': '0',
};

/** Runs statements as the superuser in the database of the service. */
export async function asSuperuser(...texts: string[]): Promise<void> {
  const url = new URL(process.env.TEST_ADMIN_URL!);
  url.pathname = testService.database.name;
  const admin = new pg.Client(url.href);
  await admin.connect();
  try {
    for (const text of texts) await admin.query(text);
  } finally {
    await admin.end();
  }
}

/** Enables plan reports for new connections of the service, and closes its existing ones. */
export async function reportPlans(): Promise<void> {
  const { name } = testService.database;
  const settings = Object.entries({ session_preload_libraries: 'auto_explain', ...REPORT });
  await asSuperuser(
    ...settings.map(([setting, value]) => `alter database ${name} set ${setting} = '${value}'`),
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = '${name}' and usename = 'awareness_service'`,
  );
}

export interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  Filter?: string;
  'Join Filter'?: string;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

export interface ExecutedPlan {
  text: string;
  /** Number of rows that the nodes of the plan read, counting repetitions. */
  rows: number;
  /** Time of the statement, in milliseconds. */
  ms: number;
  plan: PlanNode;
}

/** Returns the plans reported since the last call. */
export function takePlans(listLength: number): ExecutedPlan[] {
  return testService.notices.splice(0).flatMap((notice) => {
    const [, ms, json] = /^duration: ([\d.]+) ms {2}plan:\n(\{[^]*\})$/.exec(notice) ?? [];
    if (json === undefined) return [];
    const { 'Query Text': text, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode };
    return [{ text, rows: rowsRead(plan, listLength), ms: Number(ms), plan }];
  });
}

/** A condition with a list parameter, for which Postgres goes through the list for each row. */
const LIST_OF_PARAMETER = /(ANY|ALL) \(\$\d+/;

/** Returns the number of rows that the nodes of a plan read, counting repetitions. */
export function rowsRead(node: PlanNode, listLength = 1): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const times = LIST_OF_PARAMETER.test(`${node.Filter ?? ''} ${node['Join Filter'] ?? ''}`) ? listLength : 1;
  const own = (node['Actual Rows'] + removed) * node['Actual Loops'] * times;
  return own + (node.Plans ?? []).reduce((sum, plan) => sum + rowsRead(plan, listLength), 0);
}
