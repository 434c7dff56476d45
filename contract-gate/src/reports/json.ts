import { getExitCode, openBreaks, type Report, type SurfaceReport } from './report.ts';

/** Formats JSON for programs. */
export function json(report: Report): string {
  const { surfaces, notes } = report;
  return JSON.stringify({ exitCode: getExitCode(report), surfaces: surfaces.map(surfaceJson), notes }, null, 2);
}

function surfaceJson(report: SurfaceReport) {
  const { surface, base, head, changes, unreleased, accepted, version, refusedEntries } = report;
  const breaking = changes.breaking.map((finding) => ({ ...finding, accepted: accepted.get(finding) ?? null }));
  const versions = version && { before: version.before, after: version.after, needed: version.needed };
  const refused = [...refusedEntries, ...(version?.refused ?? [])];
  const outcome = { openBreaks: openBreaks(report).length, refused };
  return { surface, base, head, versions, outcome, ...changes, breaking, unreleased };
}
