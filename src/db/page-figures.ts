// Figures next to a page, such as the total number of recipients, which can require counting a million rows. The first
// page of a list counts them. Later pages show the same figures, for up to a minute, so that they cost no more than
// reading their rows.
//
// Figures are kept only in this process. If another process serves a later page, it counts again.
import type { Statement } from './statement.ts';
import type { TenantReader } from './tenant.ts';

/** Paging parameters of a call; operations other than lists have neither. */
interface PageParameters {
  limit?: unknown;
  cursor?: unknown;
}

interface Figures {
  rows: unknown[];
  /** Length of the rows in JSON. */
  length: number;
  countedAt: number;
}

const MAX_AGE_MS = 60_000;
/** Maximum total length, in JSON, of the figures kept for all companies. */
const MAX_LENGTH = 16_000_000;

/** The figures of the first pages that this process has served lately. */
export class PageFigures {
  /** By statement, company and parameters, in the order in which they were counted. */
  readonly #figures = new Map<string, Figures>();
  #length = 0;

  /** Returns a reader for a page. A first page stores its figures; later pages reuse them. */
  readerOf(tenant: TenantReader, { limit, cursor }: PageParameters): TenantReader {
    if (limit === undefined && cursor === undefined) return tenant;
    const isLater = cursor !== undefined;
    const countAll = <P, R>(statement: Statement<P, R>, params: P) =>
      statement.areFigures ? this.#read(tenant, statement, params, isLater) : tenant.queryAll(statement, params);
    return {
      companyId: tenant.companyId,
      queryOne: async (statement, params) =>
        statement.areFigures ? (await countAll(statement, params))[0] : tenant.queryOne(statement, params),
      queryAll: countAll,
      stream: (...list) => tenant.stream(...list),
    };
  }

  async #read<P, R>(tenant: TenantReader, statement: Statement<P, R>, params: P, isLater: boolean): Promise<R[]> {
    const key = JSON.stringify([statement.name, tenant.companyId, params]);
    const kept = this.#figures.get(key);
    if (isLater && kept && Date.now() - kept.countedAt < MAX_AGE_MS) return kept.rows as R[];
    const rows = await tenant.queryAll(statement, params);
    this.#remove(key);
    this.#keep(key, rows);
    return rows;
  }

  #keep(key: string, rows: unknown[]): void {
    const length = JSON.stringify(rows).length + key.length;
    this.#figures.set(key, { rows, length, countedAt: Date.now() });
    this.#length += length;
    for (const oldest of this.#figures.keys()) {
      if (this.#length <= MAX_LENGTH) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#length -= this.#figures.get(key)?.length ?? 0;
    this.#figures.delete(key);
  }
}
