import type { Check } from './check.ts';
import { execute, Skipped } from './commands.ts';

/** Languages without a program that calls the service, each with the tool that it would need. */
const WITHOUT_A_PROGRAM = { 'C#': 'dotnet', Swift: 'swift' };

export const otherChecks: Check[] = Object.entries(WITHOUT_A_PROGRAM).map(([language, command]) => ({
  language,
  generator: 'openapi-generator',
  async run() {
    await execute(command, ['--version']);
    throw new Skipped(`${command} is installed, but has no program that calls the service`);
  },
}));
