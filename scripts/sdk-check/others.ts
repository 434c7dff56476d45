import type { Check } from './check.ts';
import { execute, Skipped } from './commands.ts';

/** Languages that no program calls the service in yet, with the tool that would be needed. */
const WITHOUT_A_PROGRAM = { 'C#': 'dotnet', Swift: 'swift' };

export const otherChecks: Check[] = Object.entries(WITHOUT_A_PROGRAM).map(([language, command]) => ({
  language,
  generator: 'openapi-generator',
  async run() {
    await execute(command, ['--version']);
    throw new Skipped(`${command} is there, but no program that calls the service`);
  },
}));
