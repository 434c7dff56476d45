import type { Finding } from '../findings.ts';
import { listed, type Report, shortened, type SurfaceReport, formatTitle, together, verdicts } from './report.ts';

const COLUMNS = ['Operation', 'What', 'Where'];

/** Formats Markdown for a review or a job summary. */
export function markdown({ surfaces, notes }: Report): string {
  return [...surfaces.map(surfaceMarkdown), ...notes.map((note) => `> ${note}`)].join('\n\n');
}

function surfaceMarkdown(report: SurfaceReport): string {
  const { changes, accepted } = report;
  const breaks = changes.breaking.map((one) => {
    const entry = accepted.get(one);
    const state = entry ? `accepted: ${entry.reason.trim()}` : '**open**';
    const place = `\`${one.pointer}\` (${one.rule})`;
    return row(listed(one.operations), shortened(one.what), one.why, one.whom, place, state);
  });
  const { since, breaks: pending } = report.unreleased ?? { since: '', breaks: [] };
  return [
    `## ${formatTitle(report, '→')}`,
    '',
    ...verdicts(report).map(({ isGood, line }) => `- ${isGood ? '✅' : '❌'} ${line}`),
    ...table(
      `Breaking: ${changes.breaking.length}`,
      ['Operation', 'What', 'Reason', 'Affected', 'Where', 'State'],
      breaks,
    ),
    ...table(`Compatible: ${changes.compatible.length}`, COLUMNS, rows(changes.compatible)),
    ...(pending.length > 0
      ? table(`Changed since ${since}, never released: ${pending.length}`, COLUMNS, rows(pending))
      : []),
    '',
    `Only descriptions or examples: ${changes.words}.`,
  ].join('\n');
}

function rows(findings: Finding[]): string[] {
  return together(findings).map((one) => row(listed(one.operations), shortened(one.what), `\`${one.pointer}\``));
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

function table(title: string, head: string[], lines: string[]): string[] {
  if (lines.length === 0) return ['', `${title}.`];
  return ['', `### ${title}`, '', `| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...lines];
}
