import { isId } from '../ids.ts';

/** A statement to send to Postgres. A statement without a name is parsed each time. */
export interface ProtocolStatement {
  name: string;
  text: string;
  values: unknown[];
}

export interface StatementRequest {
  companyId: string;
  statement: { name: string; text: string; isAggregate?: boolean; isPointQuery?: boolean };
  values: unknown[];
  /** Whether Postgres must reject changes and row locks. */
  readOnly: boolean;
  /**
   * Statement timeout in milliseconds; 0 for none. Lists use 0, because a timeout would include the time that the
   * client reads.
   */
  timeoutMs: number;
  /** Number of rows in a batch of a list; 0 to fetch all rows at once. */
  batchSize: number;
  /** Audit entry to write with a change: after the statement in its transaction, or before the commit. */
  entry?: ProtocolStatement | undefined;
}

/** A company's statement, with the surrounding statements that bind its transaction to the company. */
export interface StatementPlan {
  before: ProtocolStatement[];
  main: ProtocolStatement;
  after: ProtocolStatement[];
}

/** The statement that opens a transaction for several statements. */
export const BEGIN = { name: 'begin', text: 'begin' };
const BEGIN_READER = { name: 'begin_reader', text: 'begin read only' };
/** The statement that ends the transaction; needs no settings, because `BEGIN` has set them. */
export const COMMIT = { name: 'commit', text: 'commit' };

/**
 * Settings that every transaction relies on besides the company: the statement timeout in milliseconds ($1), and the
 * format of times. The pool also requests them when it connects. But a pooler might drop them, or settings of the role
 * might override them.
 */
const SESSION = `set_config('statement_timeout', $1, true), set_config('TimeZone', 'UTC', true),
                 set_config('DateStyle', 'ISO', true)`;
// Lists and totals are planned for each call. A plan from when the tables were small would never finish in a large
// company. Nested loops are off, because Postgres expects one row while it has no statistics of an import, and then
// compares all rows with each other. Reading the results of 20,000 learners took over a minute with nested loops, and
// half a second with hash joins. With statistics, most lists of 20,000 rows take as long as before; the worst went from
// 0.33 s to 0.68 s.
const PLAN = `set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_nestloop', 'off', true)`;
const READER = `set_config('transaction_read_only', 'on', true)`;
const COMPANY = `set_config('app.company_id', $2, true)`;

const SET_SESSION = { name: 'set_session', text: `select ${SESSION}` };
const SET_SESSION_TO_PLAN = { name: 'set_session_to_plan', text: `select ${SESSION}, ${PLAN}` };
const SET_COMPANY = { name: 'set_company', text: `select set_config('app.company_id', $1, true)` };
/** Settings of a change: the timeout ($1) and the company ($2). */
export const changeSettings = { name: 'set_tenant', text: `select ${SESSION}, ${COMPANY}` };
const SET_READER = { name: 'set_reader', text: `select ${SESSION}, ${COMPANY}, ${READER}` };
/** Settings of a whole list or a total: the timeout ($1) and the company ($2). */
export const listSettings = { name: 'set_reader_to_plan', text: `select ${SESSION}, ${COMPANY}, ${READER}, ${PLAN}` };

/** Plans the statements to send for a request, on Citus or on plain Postgres. */
export function planStatement(isCitus: boolean, request: StatementRequest): StatementPlan {
  if (request.statement === COMMIT) {
    return { before: request.entry ? [request.entry] : [], main: { ...COMMIT, values: [] }, after: [] };
  }
  return isCitus ? planOnCitus(request) : planOnPostgres(request);
}

/**
 * Plans a request for plain Postgres. The settings and the statement share the implicit transaction that ends at Sync.
 * `begin` turns this transaction, with its settings, into an open one.
 */
export function planOnPostgres(request: StatementRequest): StatementPlan {
  const { entry } = request;
  return { before: [settingsOnPostgres(request)], main: mainStatement(request), after: entry ? [entry] : [] };
}

/**
 * Plans a request for Citus. On Citus, only `set local` in an open transaction reaches the other nodes, which check the
 * policies; with `set_config`, statements would find no rows. On plain Postgres, this plan would cost a tenth of the
 * read throughput.
 * @throws if the company is not an id, because it becomes part of the SQL text
 */
export function planOnCitus(request: StatementRequest): StatementPlan {
  const [begin, company, session] = openingOnCitus(request);
  if (request.statement === BEGIN) return { before: [begin, company], main: session, after: [] };
  return { before: [begin, company, session], main: mainStatement(request), after: [{ ...COMMIT, values: [] }] };
}

/**
 * Prepares only point queries, lists and `begin`, by their names. Postgres plans any other statement for its values. A
 * cached plan from when the tables were small would compare each of 20,000 imported learners with all the others.
 */
function mainStatement({ statement, values, batchSize }: StatementRequest): ProtocolStatement {
  const { name, text, isPointQuery } = statement;
  const isPrepared = isPointQuery === true || batchSize > 0 || statement === BEGIN;
  return { name: isPrepared ? name : '', text, values };
}

/** The session of a connection on which lookups share transactions. */
interface LookupSession {
  isCitus: boolean;
  /** Whether the session is read-only and has the settings of `SESSION`. */
  isReading: boolean;
}

/**
 * Plans the statements around the lookups of a company that share a transaction.
 * @throws as `planOnCitus` does
 */
export function planAroundLookups(
  { isCitus, isReading }: LookupSession,
  scope: Pick<StatementRequest, 'companyId' | 'timeoutMs'>,
): Omit<StatementPlan, 'main'> {
  const request = { ...scope, readOnly: true, batchSize: 0 };
  if (isCitus) return { before: openingOnCitus(request), after: [{ ...COMMIT, values: [] }] };
  const set = isReading ? { ...SET_COMPANY, values: [scope.companyId] } : settingsOnPostgres(request);
  return { before: [set], after: [] };
}

type SettingsRequest = Omit<StatementRequest, 'statement' | 'values'> & Partial<Pick<StatementRequest, 'statement'>>;

function isPlanned({ statement, batchSize }: SettingsRequest): boolean {
  return batchSize > 0 || statement?.isAggregate === true;
}

function settingsOnPostgres(request: SettingsRequest): ProtocolStatement {
  const { companyId, readOnly, timeoutMs } = request;
  const set = !readOnly ? changeSettings : isPlanned(request) ? listSettings : SET_READER;
  return { ...set, values: [String(timeoutMs), companyId] };
}

function openingOnCitus(request: SettingsRequest): [ProtocolStatement, ProtocolStatement, ProtocolStatement] {
  const { companyId, readOnly, timeoutMs } = request;
  if (!isId(companyId)) throw new Error('The company of a statement is not an id');
  return [
    { ...(readOnly ? BEGIN_READER : BEGIN), values: [] },
    { name: '', text: `set local app.company_id = '${companyId}'`, values: [] },
    { ...(isPlanned(request) ? SET_SESSION_TO_PLAN : SET_SESSION), values: [String(timeoutMs)] },
  ];
}
