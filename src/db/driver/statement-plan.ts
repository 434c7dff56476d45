import { isId } from '../ids.ts';

/** A statement on its way to Postgres. The ones without a name are parsed each time. */
export interface ProtocolStatement {
  name: string;
  text: string;
  values: unknown[];
}

export interface StatementRequest {
  companyId: string;
  statement: { name: string; text: string; isAggregate?: boolean; isPointQuery?: boolean };
  values: unknown[];
  /** Makes Postgres refuse changes and row locks. */
  readOnly: boolean;
  /** The statement timeout in milliseconds; 0 for none. Lists need 0: it would count the time that the client reads. */
  timeoutMs: number;
  /** Rows in a batch of a list; 0 fetches all rows at once. */
  batchSize: number;
  /** What is written with a change: behind it in its transaction, or before the commit. */
  entry?: ProtocolStatement | undefined;
}

/** A company's statement, and what makes its transaction the company's. */
export interface StatementPlan {
  before: ProtocolStatement[];
  main: ProtocolStatement;
  after: ProtocolStatement[];
}

/** Opens a transaction for several statements. */
export const BEGIN = { name: 'begin', text: 'begin' };
const BEGIN_READER = { name: 'begin_reader', text: 'begin read only' };
/** Ends it. The company and the session are set already. */
export const COMMIT = { name: 'commit', text: 'commit' };

/**
 * What the rest of a transaction relies on besides the company: the statement timeout in milliseconds ($1), and the format
 * of times. The pool also asks for them when it connects, but a pooler may drop that, or settings of the role may override
 * it.
 */
const SESSION = `set_config('statement_timeout', $1, true), set_config('TimeZone', 'UTC', true),
                 set_config('DateStyle', 'ISO', true)`;
// Lists and totals are planned for each call: with a plan made while the tables were small, they would never end in a large
// company. While Postgres has no statistics of what was just imported, it expects one row and joins by nested loops, which
// compare all rows with each other: the results of 20,000 learners took over a minute, and half a second with hash joins.
// With statistics, most lists of 20,000 rows take as long as before; the worst went from 0.33 s to 0.68 s.
const PLAN = `set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_nestloop', 'off', true)`;
const READER = `set_config('transaction_read_only', 'on', true)`;
const COMPANY = `set_config('app.company_id', $2, true)`;

const SET_SESSION = { name: 'set_session', text: `select ${SESSION}` };
const SET_SESSION_TO_PLAN = { name: 'set_session_to_plan', text: `select ${SESSION}, ${PLAN}` };
const SET_COMPANY = { name: 'set_company', text: `select set_config('app.company_id', $1, true)` };
/** What a change runs with, the timeout ($1) and the company ($2). */
export const changeSettings = { name: 'set_tenant', text: `select ${SESSION}, ${COMPANY}` };
const SET_READER = { name: 'set_reader', text: `select ${SESSION}, ${COMPANY}, ${READER}` };
/** What a whole list or a total runs with, the timeout ($1) and the company ($2). */
export const listSettings = { name: 'set_reader_to_plan', text: `select ${SESSION}, ${COMPANY}, ${READER}, ${PLAN}` };

/** The steps of a statement, on Citus or on plain Postgres. */
export function planStatement(isCitus: boolean, request: StatementRequest): StatementPlan {
  if (request.statement === COMMIT) {
    return { before: request.entry ? [request.entry] : [], main: { ...COMMIT, values: [] }, after: [] };
  }
  return isCitus ? planOnCitus(request) : planOnPostgres(request);
}

/**
 * On plain Postgres: the settings and the statement share the implicit transaction that ends at Sync. So does `begin`,
 * which turns it, with its settings, into an open one.
 */
export function planOnPostgres(request: StatementRequest): StatementPlan {
  const { entry } = request;
  return { before: [settingsOnPostgres(request)], main: mainStatement(request), after: entry ? [entry] : [] };
}

/**
 * On Citus only `set local` in an open transaction reaches the other nodes, where policies are checked; `set_config`
 * stays here, and no row would be found. Costs a tenth of the reads that plain Postgres answers.
 * @throws when the company is no id: it becomes part of the text
 */
export function planOnCitus(request: StatementRequest): StatementPlan {
  const [begin, company, session] = openingOnCitus(request);
  if (request.statement === BEGIN) return { before: [begin, company], main: session, after: [] };
  return { before: [begin, company, session], main: mainStatement(request), after: [{ ...COMMIT, values: [] }] };
}

/**
 * Only point queries and lists are prepared. Any other statement is planned for its values: Postgres would keep a plan that
 * was made while the tables were small, and compare each of 20,000 imported learners with all the others.
 */
function mainStatement({ statement, values, batchSize }: StatementRequest): ProtocolStatement {
  const { name, text, isPointQuery } = statement;
  const isPrepared = isPointQuery === true || batchSize > 0 || statement === BEGIN;
  return { name: isPrepared ? name : '', text, values };
}

/** A connection on which lookups share transactions. */
interface LookupSession {
  isCitus: boolean;
  /** It only reads, and has what `SESSION` sets. */
  isReading: boolean;
}

/**
 * What stands around lookups of a company that share a transaction.
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
  if (!isId(companyId)) throw new Error('The company of a statement is no id');
  return [
    { ...(readOnly ? BEGIN_READER : BEGIN), values: [] },
    { name: '', text: `set local app.company_id = '${companyId}'`, values: [] },
    { ...(isPlanned(request) ? SET_SESSION_TO_PLAN : SET_SESSION), values: [String(timeoutMs)] },
  ];
}
