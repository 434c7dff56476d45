// Generates clients from generated/openapi.json with the generators that integrators use, compiles them, and calls the
// demo with each: a list, a report, a 404, a bulk call, an upload, a DELETE with a body, and responses of a newer
// service. Prints skipped checks, and exits with 1 if the README's table of clients differs.
//
// In addition, the receivers of the guide on webhooks must accept the demo's deliveries and reject altered ones
// (`webhooks`). Prism validates calls and responses against the contract (`prism`). A validator for Go programs must
// accept our documents.
//   node scripts/sdk-check/run.ts [part of a language's or a generator's name]
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../src/commands/command.ts';
import { type Check, type Outcome, perform, root } from './check.ts';
import { formatCells, formatName, readTable, type Table } from './clients-table.ts';
import { withDemo } from './demo-service.ts';
import { goChecks } from './go.ts';
import { javaChecks } from './java.ts';
import { validateDocuments } from './kin-openapi.ts';
import { otherChecks } from './others.ts';
import { phpChecks } from './php.ts';
import { checkThroughPrism } from './prism.ts';
import { pythonChecks } from './python.ts';
import { checkReceivers } from './receivers.ts';
import { rubyChecks } from './ruby.ts';
import { rustChecks } from './rust.ts';
import { typescriptChecks } from './typescript.ts';

/** Number of concurrent checks: one compiles while another waits for a registry. */
const AT_ONCE = 2;
const all = [
  ...rustChecks,
  ...javaChecks,
  ...typescriptChecks,
  ...pythonChecks,
  ...goChecks,
  ...phpChecks,
  ...rubyChecks,
  ...otherChecks,
];

await runCommand(async () => {
  const wanted = (process.argv[2] ?? '').toLowerCase();
  const checks = all.filter(({ language, generator }) =>
    formatName(language, generator).toLowerCase().includes(wanted),
  );
  const table = readTable(await readFile(join(root, 'README.md'), 'utf8'));
  const problems = await withDemo(async (service) => {
    const waiting = checks.values();
    const found: string[] = [];
    const work = async () => {
      for (const check of waiting) found.push(...differences(check, await perform(check, service), table));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return [
      ...(await validateDocuments(wanted)),
      ...found,
      ...(await checkReceivers(service, wanted)),
      ...(await checkThroughPrism(service, wanted)),
    ];
  });
  const known = new Set(all.map(({ language, generator }) => formatName(language, generator)));
  problems.push(
    ...[...table.keys()].filter((name) => !known.has(name)).map((name) => `${name}: no check for this row`),
  );
  if (problems.length === 0) return console.log("README.md's table of clients is up to date.");
  console.error(
    `\nFailures in README.md's table of clients, the documents, the receivers or Prism:\n${problems.join('\n')}`,
  );
  process.exitCode = 1;
});

function differences({ language, generator }: Check, outcome: Outcome, table: Table): string[] {
  const name = formatName(language, generator);
  if ('skipped' in outcome) return [];
  if ('failed' in outcome) return [`${name}: does not compile`];
  const found = formatCells(outcome.verdicts);
  const said = table.get(name);
  return found === said ? [] : [`${name}\n  found   ${found}\n  README  ${said ?? 'has no such row'}`];
}
