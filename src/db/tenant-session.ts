import type pg from 'pg';
import { connectionShares } from './connection-shares.ts';
import { openCursor } from './cursor.ts';
import { isOnCitus } from './driver/citus-detection.ts';
import { type ReadPipeline, readPipeline } from './driver/read-pipeline.ts';
import { readAhead, type Replica, findReplica } from './replica.ts';
import { Rows } from './rows.ts';
import type { Mutation, Compiled, Statement } from './statement.ts';
import { getStatementTimeout } from './driver/statement-timeout.ts';
import { TenantQuery } from './driver/tenant-query.ts';
import { type StatementRequest, BEGIN, COMMIT, type ProtocolStatement } from './driver/statement-plan.ts';
import { tracedCursor, tracedStatement } from './traced-statement.ts';
import { buildEntry, type AuditRecorder } from './audit-recorder.ts';
import { createPaging, readPage, TransactionTenant } from './transaction-tenant.ts';
import type { TenantReader, TenantWriter } from './tenant.ts';

/**
 * Mints a reader. The caller must have checked that it can read the company; tenant.ts lists who can mint handles.
 * @param quotaCompanyId the caller's own company, whose share of the pool the reader uses
 */
export function createTenantReader(pool: pg.Pool, companyId: string, quotaCompanyId: string): TenantReader {
  return new PooledReader(pool, companyId, { quotaCompanyId, replica: findReplica(pool) });
}

interface WriterOptions {
  /** The company whose share of the pool the writer uses; the writer's own by default. */
  quotaCompanyId?: string;
  /** Recorder of the audit entry; if omitted, the change leaves no entry. */
  recorder?: AuditRecorder;
}

/**
 * Mints a writer, for the caller's own company only. The one exception: `auth/` mints a writer for another company to
 * append an entry to its audit log, and passes that writer to nobody.
 */
export function createTenantWriter(pool: pg.Pool, companyId: string, options: WriterOptions = {}): TenantWriter {
  return new PooledWriter(pool, companyId, options);
}

/** SQLSTATE of a transaction that Postgres rolled back to end a deadlock. Such a transaction can be retried. */
const DEADLOCK_DETECTED = '40P01';
const MAX_ATTEMPTS = 3;
const READ_ONLY_TRANSACTION = '25006';
/** Number of rows in a batch of a list: about a millisecond of work between two iterations of the event loop. */
const BATCH_SIZE = 250;

interface ReadersPart {
  /** The company whose share of the pool the reader uses. */
  quotaCompanyId: string;
  replica: Replica | undefined;
}

interface Execution<P, R> {
  statement: Compiled<P, R>;
  params: P;
  readOnly: boolean;
}

/** A statement to send. `onEntry` is called if the audit entry after the statement was written. */
interface Sent {
  statement: StatementRequest['statement'];
  values: unknown[];
  readOnly: boolean;
  entry?: ProtocolStatement | undefined;
  onEntry?: () => void;
}

/** A reader that runs each statement in its own transaction, on a connection of the pool. */
class PooledReader implements TenantReader {
  readonly companyId: string;
  protected readonly pool: pg.Pool;
  readonly #quotaCompanyId: string;
  readonly #replica: Replica | undefined;

  constructor(pool: pg.Pool, companyId: string, { quotaCompanyId, replica }: ReadersPart) {
    this.pool = pool;
    this.companyId = companyId;
    this.#quotaCompanyId = quotaCompanyId;
    this.#replica = replica;
  }

  async queryOne<P, R>(statement: Statement<P, R>, params: P): Promise<R | undefined> {
    const pipeline = statement.isPointQuery ? readPipeline(this.pool) : undefined;
    const rows = pipeline?.isOpen ? await this.#lookUp(pipeline, statement, params) : undefined;
    return (rows ?? (await this.queryAll(statement, params)))[0];
  }

  /** Runs a point query on the pipeline. Returns undefined if it fails there. */
  async #lookUp<P, R>(pipeline: ReadPipeline, statement: Statement<P, R>, params: P): Promise<R[] | undefined> {
    const { lookups, reads } = connectionShares(this.pool);
    reads.recordUse(this.#quotaCompanyId);
    const release = lookups.tryAcquire(this.#quotaCompanyId) ?? (await lookups.acquire(this.#quotaCompanyId));
    const { name, values } = statement;
    const unit = { companyId: this.companyId, statement, values: values(this.companyId, params) };
    try {
      return await tracedStatement(name, () => pipeline.run<R>(unit));
    } catch {
      // A lookup only reads, so the pool can run it again. The pool's error is the one that clients see.
      return undefined;
    } finally {
      release();
    }
  }

  queryAll<P, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    const run = { statement, params, readOnly: true };
    const isForPrimary = !this.#replica || statement.isPointQuery;
    return isForPrimary ? this.execute(this.pool, run) : this.#replica.read((pool) => this.execute(pool, run));
  }

  protected async execute<P, R>(pool: pg.Pool, { statement, params, readOnly }: Execution<P, R>): Promise<R[]> {
    const { reads } = connectionShares(pool);
    const release = reads.tryAcquire(this.#quotaCompanyId) ?? (await reads.acquire(this.#quotaCompanyId));
    try {
      return await tracedStatement(statement.name, () => this.executeOnce(pool, { statement, params, readOnly }));
    } finally {
      release();
    }
  }

  protected async executeOnce<P, R>(pool: pg.Pool, { statement, params, readOnly }: Execution<P, R>): Promise<R[]> {
    const client = await pool.connect();
    const values = statement.values(this.companyId, params);
    return this.releaseAfter(client, this.query<R>(client, { statement, values, readOnly }));
  }

  /**
   * Releases the connection once `running` has settled. Destroys it after an error, because the driver counts a failed
   * statement as prepared.
   */
  protected async releaseAfter<R>(client: pg.PoolClient, running: Promise<R>): Promise<R> {
    const result = await running.catch((error: Error) => {
      client.release(error);
      throw error;
    });
    client.release();
    return result;
  }

  /** Runs a statement in one write with its tenant settings. If it fails, the caller must destroy the connection. */
  protected query<R>(client: pg.PoolClient, { onEntry, ...sent }: Sent): Promise<R[]> {
    return new Promise<R[]>((resolve, reject) => {
      const query: TenantQuery<R> = new TenantQuery<R>({
        companyId: this.companyId,
        timeoutMs: getStatementTimeout(this.pool),
        batchSize: 0,
        ...sent,
        settle(error, { rows }) {
          if (error) return reject(error);
          if (query.hasEntry) onEntry?.();
          resolve(rows);
        },
      });
      client.query(query);
    });
  }

  stream<P, R>(statement: Statement<P, R>, params: P, batchSize = BATCH_SIZE): Rows<R> {
    return new Rows(
      (signal) => {
        const options = { companyId: this.companyId, quotaCompanyId: this.#quotaCompanyId, batchSize, signal };
        const open = (pool: pg.Pool) => openCursor(pool, options, statement, params);
        const openFirst = async (pool: pg.Pool) => readAhead(await open(pool));
        const replica = this.#replica;
        return tracedCursor(statement.name, () => (replica ? replica.read(openFirst, signal) : open(this.pool)));
      },
      // Computing a part of a list takes as long as computing the whole list, so it uses a slot for lists.
      (offset, limit) =>
        connectionShares(this.pool).lists.run(this.#quotaCompanyId, undefined, () =>
          readPage(this, { statement, params, offset, limit }),
        ),
      { paging: createPaging(this, statement, params) },
    );
  }
}

class PooledWriter extends PooledReader implements TenantWriter {
  readonly #trail: AuditRecorder | undefined;

  constructor(
    pool: pg.Pool,
    companyId: string,
    { quotaCompanyId: quotaCompanyId = companyId, recorder }: WriterOptions,
  ) {
    // A writer reads the rows that it is about to change, so it never reads a replica.
    super(pool, companyId, { quotaCompanyId, replica: undefined });
    this.#trail = recorder;
  }

  mutate<P, R>(change: Mutation<P, R>, params: P): Promise<R[]> {
    return againAfterDeadlock(() => this.execute(this.pool, { statement: change, params, readOnly: false }));
  }

  protected override async executeOnce<P, R>(pool: pg.Pool, execution: Execution<P, R>): Promise<R[]> {
    const recorder = this.#trail;
    const { statement, params, readOnly } = execution;
    if (!recorder || readOnly) return super.executeOnce(pool, execution);
    const entry = buildEntry(recorder, params, false);
    const client = await pool.connect();
    // On Citus, only the returned rows show whether the statement changed anything.
    if (isOnCitus((client as unknown as { connection: object }).connection))
      return this.#transactOnce(
        client,
        (tx) => tx.mutate(statement as Mutation<P, R>, params),
        (rows) => rows.length > 0,
      );
    const values = statement.values(this.companyId, params);
    const onEntry = () => recorder.markWritten();
    return this.releaseAfter(client, this.query<R>(client, { statement, values, readOnly, entry, onEntry }));
  }

  addTargets(field: string, ids: readonly string[]): void {
    this.#trail?.addTargets(field, ids);
  }

  async transaction<T>(work: (tenant: TenantWriter) => Promise<T>): Promise<T> {
    const transact = async () => this.#transactOnce(await this.pool.connect(), work);
    return connectionShares(this.pool).changes.run(this.companyId, undefined, () => againAfterDeadlock(transact));
  }

  /** @param hasChanged reports whether a result needs an audit entry */
  async #transactOnce<T>(
    client: pg.PoolClient,
    work: (tenant: TenantWriter) => Promise<T>,
    hasChanged: (result: T) => boolean = () => true,
  ): Promise<T> {
    const begin = { statement: BEGIN, values: [], readOnly: false };
    await this.query(client, begin).catch((error: Error) => {
      client.release(error);
      throw error;
    });
    let broken: Error | undefined;
    let isEnding = false;
    const tenant = new TransactionTenant(client, this, this.#trail);
    try {
      const result = await work(tenant);
      const entry = hasChanged(result) ? buildEntry(this.#trail, result, true) : undefined;
      isEnding = true;
      await this.query(client, { statement: COMMIT, values: [], readOnly: false, entry });
      if (entry) this.#trail!.markWritten();
      return result;
    } catch (error) {
      // Destroys a connection that cannot roll back or commit, and a connection to a read-only server, which is the
      // wrong server after a fail-over.
      await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError));
      if (isEnding || (error as { code?: unknown }).code === READ_ONLY_TRANSACTION) broken ??= error as Error;
      throw error;
    } finally {
      tenant.end();
      client.release(broken);
    }
  }
}

async function againAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || (error as { code?: unknown }).code !== DEADLOCK_DETECTED) throw error;
    }
  }
}
