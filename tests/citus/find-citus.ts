import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the folder with the programs of a Postgres installation that has Citus: CITUS_BIN, or the folder of
 * `pg_config` on the path. Undefined if there is none.
 */
export function findCitus(env: NodeJS.ProcessEnv): string | undefined {
  const bin = env.CITUS_BIN || ask('pg_config', '--bindir');
  if (!bin) return undefined;
  const shared = ask(join(bin, 'pg_config'), '--sharedir');
  const isThere = existsSync(join(bin, 'initdb')) && existsSync(join(shared, 'extension/citus.control'));
  return isThere ? bin : undefined;
}

function ask(program: string, question: string): string {
  const { stdout } = spawnSync(program, [question], { encoding: 'utf8' });
  return stdout ? stdout.trim() : '';
}
