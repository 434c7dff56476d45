import { refusals, sentence, listedFindings } from './findings-list.ts';
import type { Report } from './report.ts';

/** Formats annotations of GitHub Actions: workflow commands, one per line. */
export function github(report: Report): string {
  const annotations = listedFindings(report)
    .filter(({ level }) => level !== 'note')
    .map(({ surface, finding, level }) => {
      return command(level, { file: surface.head, title: finding.rule }, `${sentence(finding)} ${finding.pointer}`);
    });
  const refused = report.surfaces.flatMap((surface) =>
    refusals(surface).map((line) => command('error', { file: surface.head, title: 'contract-gate' }, line)),
  );
  const notes = report.notes.map((note) => command('notice', { title: 'contract-gate' }, note));
  return [...annotations, ...refused, ...notes].join('\n');
}

function command(name: string, properties: Record<string, string>, message: string): string {
  const listed = Object.entries(properties).map(([key, value]) => `${key}=${escapedProperty(value)}`);
  return `::${name} ${listed.join(',')}::${escaped(message)}`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
