import type pg from 'pg';
import { connectionShares } from './connection-shares.ts';
import { openCursor } from './cursor.ts';
import { readPipeline } from './read-pipeline.ts';
import { readAhead, type Replica, replicaOf } from './replica.ts';
import { type Page, Rows } from './rows.ts';
import { type Change, type Compiled, countOf, pageOf, type Statement } from './statement.ts';
import { statementTimeoutOf } from './statement-timeout.ts';
import { TenantQuery } from './tenant-query.ts';
import { BEGIN } from './tenant-steps.ts';
import { tracedCursor, tracedStatement } from './traced-statement.ts';
import type { TenantReader, TenantWriter } from './tenant.ts';

/**
 * Mints a reader. Only `auth/` may call this, after it has checked that the caller may read the company.
 * @param payer the caller's own company: its share of the pool is used
 */
export function createTenantReader(pool: pg.Pool, companyId: string, payer: string): TenantReader {
  return new PooledReader(pool, companyId, { payer, replica: replicaOf(pool) });
}

/** Mints a writer. Only `auth/` may call this, and only for the caller's own company. */
export function createTenantWriter(pool: pg.Pool, companyId: string): TenantWriter {
  return new PooledWriter(pool, companyId);
}

/** Two transactions waited for each other. Postgres has rolled one back, and it can be tried again. */
const DEADLOCK_DETECTED = '40P01';
const MAX_ATTEMPTS = 3;
const READ_ONLY_TRANSACTION = '25006';
/** Rows in a batch of a list: about a millisecond of work between two turns of the event loop. */
const BATCH_SIZE = 250;

interface ReadersPart {
  /** The company whose share of the pool is used. */
  payer: string;
  replica: Replica | undefined;
}

interface Execution<P, R> {
  statement: Compiled<P, R>;
  params: P;
  readOnly: boolean;
}

/** Runs each statement in its own transaction, on a connection of the pool. */
class PooledReader implements TenantReader {
  readonly companyId: string;
  protected readonly pool: pg.Pool;
  readonly #payer: string;
  readonly #replica: Replica | undefined;

  constructor(pool: pg.Pool, companyId: string, { payer, replica }: ReadersPart) {
    this.pool = pool;
    this.companyId = companyId;
    this.#payer = payer;
    this.#replica = replica;
  }

  async find<P, R>(statement: Statement<P, R>, params: P): Promise<R | undefined> {
    const found = statement.isLookup ? await this.#lookUp(statement, params) : undefined;
    return (found ?? (await this.all(statement, params)))[0];
  }

  /** What the pipeline finds; undefined when it does not answer. */
  async #lookUp<P, R>(statement: Statement<P, R>, params: P): Promise<R[] | undefined> {
    const pipeline = readPipeline(this.pool);
    if (!pipeline.isOpen) return undefined;
    const { lookups, reads } = connectionShares(this.pool);
    reads.noteUse(this.#payer);
    const release = lookups.tryAcquire(this.#payer) ?? (await lookups.acquire(this.#payer));
    const { name, values } = statement;
    const unit = { companyId: this.companyId, statement, values: values(this.companyId, params) };
    try {
      return await tracedStatement(name, () => pipeline.run<R>(unit));
    } catch {
      // Whatever it failed with, it has only read: the pool answers, or says what is wrong.
      return undefined;
    } finally {
      release();
    }
  }

  all<P, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    const run = { statement, params, readOnly: true };
    const isForPrimary = !this.#replica || statement.isLookup;
    return isForPrimary ? this.execute(this.pool, run) : this.#replica.read((pool) => this.execute(pool, run));
  }

  protected async execute<P, R>(pool: pg.Pool, { statement, params, readOnly }: Execution<P, R>): Promise<R[]> {
    const { reads } = connectionShares(pool);
    const release = reads.tryAcquire(this.#payer) ?? (await reads.acquire(this.#payer));
    try {
      return await tracedStatement(statement.name, () => this.#executeOnce(pool, { statement, params, readOnly }));
    } finally {
      release();
    }
  }

  async #executeOnce<P, R>(pool: pg.Pool, { statement, params, readOnly }: Execution<P, R>): Promise<R[]> {
    const client = await pool.connect();
    const rows = await this.query<R>(client, statement, statement.values(this.companyId, params), readOnly);
    client.release();
    return rows;
  }

  /** Runs a statement in one write with the tenant setting. When it fails, its connection is destroyed. */
  protected query<R>(
    client: pg.PoolClient,
    statement: { name: string; text: string },
    values: unknown[],
    readOnly: boolean,
  ): Promise<R[]> {
    return new Promise<R[]>((resolve, reject) => {
      client.query(
        new TenantQuery<R>({
          companyId: this.companyId,
          statement,
          values,
          readOnly,
          timeoutMs: statementTimeoutOf(this.pool),
          batchSize: 0,
          settle(error, { rows }) {
            if (!error) return resolve(rows);
            // Preparing may have failed, while the driver counts the statement as prepared.
            client.release(error);
            reject(error);
          },
        }),
      );
    });
  }

  rows<P, R>(statement: Statement<P, R>, params: P, batchSize = BATCH_SIZE): Rows<R> {
    return new Rows(
      (signal) => {
        const options = { companyId: this.companyId, payer: this.#payer, batchSize, signal };
        const open = (pool: pg.Pool) => openCursor(pool, options, statement, params);
        const openFirst = async (pool: pg.Pool) => readAhead(await open(pool));
        const replica = this.#replica;
        return tracedCursor(statement.name, () => (replica ? replica.read(openFirst, signal) : open(this.pool)));
      },
      // Computing a part of a list takes as long as the list, so it uses a slot for lists.
      (offset, limit) =>
        connectionShares(this.pool).lists.run(this.#payer, undefined, () =>
          readPage(this, { statement, params, offset, limit }),
        ),
    );
  }
}

class PooledWriter extends PooledReader implements TenantWriter {
  constructor(pool: pg.Pool, companyId: string) {
    // What a writer reads is what it is about to change.
    super(pool, companyId, { payer: companyId, replica: undefined });
  }

  run<P, R>(change: Change<P, R>, params: P): Promise<R[]> {
    return this.execute(this.pool, { statement: change, params, readOnly: false });
  }

  async transaction<T>(work: (tenant: TenantWriter) => Promise<T>): Promise<T> {
    return connectionShares(this.pool).changes.run(this.companyId, undefined, () => this.#transactWithRetries(work));
  }

  async #transactWithRetries<T>(work: (tenant: TenantWriter) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transactOnce(work);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || (error as { code?: unknown }).code !== DEADLOCK_DETECTED) throw error;
      }
    }
  }

  async #transactOnce<T>(work: (tenant: TenantWriter) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    await this.query(client, BEGIN, [], false);
    let broken: Error | undefined;
    try {
      const result = await work(new TransactionTenant(client, this.companyId));
      await client.query('commit');
      return result;
    } catch (error) {
      // Destroys a connection that cannot roll back, and one to a read-only server: after a fail-over it is the wrong
      // server.
      await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError));
      if ((error as { code?: unknown }).code === READ_ONLY_TRANSACTION) broken ??= error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

/**
 * Runs all statements in one open transaction, unnamed. A change may have ten thousand ids: a prepared plan, perhaps
 * made when the table was empty, would compare each row with each id. (`plan_cache_mode` is no way out: Postgres would
 * then plan its foreign key checks again for each row.)
 */
class TransactionTenant implements TenantWriter {
  readonly companyId: string;
  readonly #client: pg.ClientBase;

  constructor(client: pg.ClientBase, companyId: string) {
    this.#client = client;
    this.companyId = companyId;
  }

  async find<P, R>(statement: Statement<P, R>, params: P): Promise<R | undefined> {
    return (await this.#execute(statement, params))[0];
  }

  all<P, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    return this.#execute(statement, params);
  }

  run<P, R>(change: Change<P, R>, params: P): Promise<R[]> {
    return this.#execute(change, params);
  }

  async #execute<P, R>(statement: Compiled<P, R>, params: P): Promise<R[]> {
    const { name, text } = statement;
    const values = statement.values(this.companyId, params);
    return (await tracedStatement(name, () => this.#client.query({ text, values }))).rows as R[];
  }

  rows<P, R>(statement: Statement<P, R>, params: P): Rows<R> {
    return new Rows(
      async () => ({
        next: async () => ({ rows: await this.#execute(statement, params), last: true }),
        close: () => undefined,
        isWanted: () => false,
      }),
      (offset, limit) => readPage(this, { statement, params, offset, limit }),
    );
  }

  transaction<T>(work: (tenant: TenantWriter) => Promise<T>): Promise<T> {
    return work(this);
  }
}

interface AskedPage<P, R> {
  statement: Statement<P, R>;
  params: P;
  offset: number;
  limit: number;
}

async function readPage<P, R>(tenant: TenantReader, { statement, params, offset, limit }: AskedPage<P, R>) {
  const items = await tenant.all(pageOf(statement), { params, offset, limit });
  const total = (await tenant.find(countOf(statement), params))!.count;
  const page: Page<R> = { items, total };
  return page;
}
