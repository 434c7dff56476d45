import { firstCompanySettings } from '../commands/migrate/first-company-settings.ts';
import { readConfig } from '../config/config.ts';
import { readEnvironment } from '../config/secret-files.ts';
import { ConfigError } from '../config/variables.ts';
import { readDatabaseUrls } from '../db/database-urls.ts';
import { readTracingConfig } from '../config/tracing.ts';

export const EX_CONFIG = 78;

/** The settings of this process. An invalid setting ends the process. */
export const [config, databaseUrls, tracingConfig] = readOrExit(() => {
  const env = readEnvironment();
  return [readConfig(env), readDatabaseUrls(env), readTracingConfig(env)] as const;
});
// Only `migrate` uses these settings, because the service's role lacks the rights. An invalid setting is reported in
// every process that has it.
readOrExit(() => firstCompanySettings(process.env));

function readOrExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return exitOnConfigError(error);
  }
}

/** Prints an invalid setting as one sentence, not as a stack. 78 is EX_CONFIG of sysexits.h. */
export function exitOnConfigError(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(EX_CONFIG);
}
