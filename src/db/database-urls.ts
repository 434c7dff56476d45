import { postgresUrl } from '../config/variables.ts';

/** The ways to the database. */
export interface DatabaseUrls {
  /** Of the service's own role, which must not own the tables. It may lead to a pooler in transaction mode. */
  readonly service: string;
  /** The same database, straight: for what keeps a session, such as LISTEN and the names of living workers. */
  readonly direct: string;
  /** Whether `service` leads to a pooler: its sessions belong to all, so nothing may be set in them. */
  readonly isPooled: boolean;
  /** A streaming standby of the same database, for lists; undefined: there is none. It is reached in the way of `service`. */
  readonly read: string | undefined;
}

/**
 * Reads the addresses of the database.
 * @throws {ConfigError} naming the variable that is missing or wrong.
 */
export function readDatabaseUrls(env: Record<string, string | undefined>): DatabaseUrls {
  const service = postgresUrl(env, 'DATABASE_URL');
  const direct = env.DATABASE_DIRECT_URL ? postgresUrl(env, 'DATABASE_DIRECT_URL') : service;
  const read = env.DATABASE_READ_URL ? postgresUrl(env, 'DATABASE_READ_URL') : undefined;
  return Object.freeze({ service, direct, isPooled: direct !== service, read });
}
