import { cpus } from 'node:os';
import type { Finding } from './finding.ts';

export const HEAD = `| Fault | How often | Nothing worked for at most | Lost | Doubled | Seen | Target | Reached |
| --- | --- | --- | --- | --- | --- | --- | --- |`;

export function row({ what, times, longestS, lost, doubled, seen, target, reached }: Finding): string {
  const cells = [what, times, seconds(longestS), lost ?? '', doubled ?? '', seen ?? '', target];
  return `| ${cells.join(' | ')} | ${reached ? 'yes' : '**no**'} |`;
}

function seconds(value: number | undefined): string {
  if (value === undefined) return '';
  return value === Infinity ? 'it stayed so' : `${value.toFixed(1)} s`;
}

export function report(findings: Finding[], { seed, skipped }: { seed: number; skipped: string[] }): string {
  const { model } = cpus()[0]!;
  return `# Results of \`make faults\`

Written by \`make faults\`. The load generators and Postgres share the machine with the service. \`tests/faults/scenarios/\`
says what each row does, and how it is judged.

Machine: ${cpus().length} cores of ${model.trim()}, Node ${process.versions.node}, the embedded Postgres with fsync,
${new Date().toISOString().slice(0, 10)}, seed ${seed}.

${HEAD}
${findings.map(row).join('\n')}
${skipped.map((reason) => `\nSkipped: ${reason}.\n`).join('')}`;
}
