import type { Finding } from '../findings.ts';
import { openBreaks, type Report, type SurfaceReport, verdicts } from './report.ts';

/** One thing that the report says, for formats that list things one by one. */
export interface ListedFinding {
  surface: SurfaceReport;
  finding: Finding;
  /** `error` for a break that is not accepted, `warning` for one that is, `note` for an addition. */
  level: 'error' | 'warning' | 'note';
}

export function listedFindings(report: Report): ListedFinding[] {
  return report.surfaces.flatMap((surface) => {
    const open = new Set(openBreaks(surface));
    const { breaking, compatible } = surface.changes;
    return [
      ...breaking.map((finding): ListedFinding => ({
        surface,
        finding,
        level: open.has(finding) ? 'error' : 'warning',
      })),
      ...compatible.map((finding): ListedFinding => ({ surface, finding, level: 'note' })),
    ];
  });
}

/** What is refused besides breaks: entries of accepted breaks, versions, the changelog. */
export function refusals(surface: SurfaceReport): string[] {
  return verdicts(surface)
    .filter(({ isGood }) => !isGood)
    .map(({ line }) => line)
    .filter((line) => !/^\d+ breaking change/.test(line));
}

export function sentence({ operations, what, why, whom }: Finding): string {
  const where = operations.length === 0 ? '' : `${operations[0]}: `;
  return `${where}${what}${why && ` ${why} (${whom}).`}`;
}
