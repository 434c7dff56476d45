import pg from 'pg';
import type { Bearer } from '../../src/auth/bearer-token.ts';
import { createVerifier } from '../../src/oauth/verifier.ts';
import { mcp } from './oauth-support.ts';

let pool: pg.Pool | undefined;
afterAll(() => pool?.end());

/** Verifies a token as the tool server does, with the role of the service. */
export function verify(token: string): Promise<Bearer | undefined> {
  pool ??= new pg.Pool({ connectionString: testService.database.serviceUrl, max: 1 });
  return createVerifier(pool, mcp())(token);
}
