// Generates clients from generated/openapi.json with the generators that integrators use, compiles them, and has those in
// TypeScript and Python read from the demo. Says what is skipped for want of a tool; exits with 1 when a client fails.
//   node scripts/sdk-check/run.ts
import { runCommand } from '../../src/commands/command.ts';
import { type Check, perform } from './check.ts';
import { compiledChecks } from './compiled.ts';
import { withDemo } from './demo-service.ts';
import { pythonChecks } from './python.ts';
import { typescriptChecks } from './typescript.ts';

const checks: Check[] = [...typescriptChecks, ...pythonChecks, ...compiledChecks];

await runCommand(() =>
  withDemo(async (service) => {
    for (const check of checks) if (!(await perform(check, service))) process.exitCode = 1;
  }),
);
