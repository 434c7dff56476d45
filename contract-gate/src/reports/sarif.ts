import { refusals, sentence, listedFindings } from './findings-list.ts';
import type { Report } from './report.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Formats SARIF 2.1.0 for code scanning. Places are JSON pointers, because a bundled document has no useful lines. */
export function sarif(report: Report): string {
  const listed = listedFindings(report);
  const results = [
    ...listed.map(({ surface, finding, level }) => ({
      ruleId: finding.rule,
      level,
      message: { text: sentence(finding) },
      locations: [located(surface.head, finding.pointer)],
      ...(level === 'warning' && {
        suppressions: [{ kind: 'external', justification: surface.accepted.get(finding)!.reason }],
      }),
    })),
    ...report.surfaces.flatMap((surface) =>
      refusals(surface).map((text) => ({
        ruleId: REFUSED,
        level: 'error',
        message: { text },
        locations: [located(surface.head)],
      })),
    ),
  ];
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].map((id) => ({ id }));
  const driver = { name: 'contract-gate', rules };
  return JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [{ tool: { driver }, results }] }, null, 2);
}

const REFUSED = 'refused';

function located(file: string, pointer?: string) {
  const physicalLocation = { artifactLocation: { uri: encodeURI(file) }, region: { startLine: 1 } };
  return { physicalLocation, ...(pointer && { logicalLocations: [{ fullyQualifiedName: pointer }] }) };
}
