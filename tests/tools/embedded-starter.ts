import pg from 'pg';
import type { EmbeddedPostgres } from '../../scripts/embedded-postgres/server.ts';
import { type Program, startProgram } from '../process/support.ts';

/** A process that has started the embedded Postgres and keeps running. */
export interface Starter extends Program {
  server: Omit<EmbeddedPostgres, 'databaseUrl' | 'stop'>;
  port: string;
}

export function launch(folder: string): Program {
  return startProgram(['tests/tools/start-postgres.ts', folder], {});
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Leaves a mark in this cluster, for `findMark`. The mark survives a kill. */
export async function leaveMark({ server }: Starter, mark: string): Promise<void> {
  const table = `drop table if exists marks; create table marks as select '${mark}' as mark`;
  await query(server.ownerUrl, `set synchronous_commit = on; ${table}`);
}

export async function findMark({ server }: Starter): Promise<unknown> {
  return (await query(server.ownerUrl, 'select mark from marks'))[0]!.mark;
}
