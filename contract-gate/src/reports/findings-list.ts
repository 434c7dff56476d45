import type { Finding } from '../findings.ts';
import { openBreaks, type Report, type SurfaceReport, verdicts } from './report.ts';

/** A finding for formats that list findings individually. */
export interface ListedFinding {
  surface: SurfaceReport;
  finding: Finding;
  /** `error` for an open break, `warning` for an accepted one, `note` for an addition. */
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

/** Returns problems other than breaks: invalid entries of accepted breaks, versions, the changelog. */
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
