import { postgresUrl } from '../config/variables.ts';

export interface DatabaseUrls {
  /** URL for the service's own role, which must not own the tables; might lead to a pooler in transaction mode. */
  readonly service: string;
  /**
   * URL that leads directly to the same database, for code that keeps a session, such as LISTEN and the names of
   * running workers.
   */
  readonly direct: string;
  /**
   * Whether `service` leads to a pooler. Clients of a pooler share its sessions, so the service must not change session
   * settings.
   */
  readonly isPooled: boolean;
  /**
   * URL of a streaming standby of the same database, for lists; undefined if there is none. Leads to a pooler if and
   * only if `service` does.
   */
  readonly read: string | undefined;
}

/**
 * Reads the database URLs.
 * @throws {ConfigError} naming the variable that is missing or invalid
 */
export function readDatabaseUrls(env: Record<string, string | undefined>): DatabaseUrls {
  const service = postgresUrl(env, 'DATABASE_URL');
  const direct = env.DATABASE_DIRECT_URL ? postgresUrl(env, 'DATABASE_DIRECT_URL') : service;
  const read = env.DATABASE_READ_URL ? postgresUrl(env, 'DATABASE_READ_URL') : undefined;
  return Object.freeze({ service, direct, isPooled: direct !== service, read });
}
