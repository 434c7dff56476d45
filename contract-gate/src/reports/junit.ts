import { refusals, sentence, listedFindings } from './findings-list.ts';
import { escapeMarkup } from './markup.ts';
import type { Report, SurfaceReport } from './report.ts';

/** Formats JUnit XML: a suite for each surface, a case for each break, and one for its version and accepted breaks. */
export function junit(report: Report): string {
  const suites = report.surfaces.map((surface) => suite(surface, report));
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites, '</testsuites>'].join('\n');
}

function suite(surface: SurfaceReport, report: Report): string {
  const breaks = listedFindings({ ...report, surfaces: [surface] }).filter(({ level }) => level !== 'note');
  const refused = refusals(surface);
  const cases = [
    ...breaks.map(({ finding, level }) => {
      const failure = level === 'error' ? failed(finding.rule, `${sentence(finding)} ${finding.pointer}`) : '';
      return testCase(surface, `${finding.operations[0] ?? 'the whole API'}: ${finding.what}`, failure);
    }),
    testCase(surface, 'version and accepted breaks', refused.length > 0 ? failed('rejected', refused.join('\n')) : ''),
  ];
  const failures = breaks.filter(({ level }) => level === 'error').length + (refused.length > 0 ? 1 : 0);
  const name = escapeMarkup(surface.surface ?? surface.head);
  return [`<testsuite name="${name}" tests="${cases.length}" failures="${failures}">`, ...cases, '</testsuite>'].join(
    '\n',
  );
}

function testCase({ surface, head }: SurfaceReport, name: string, content: string): string {
  return `<testcase classname="${escapeMarkup(surface ?? head)}" name="${escapeMarkup(name)}">${content}</testcase>`;
}

function failed(type: string, message: string): string {
  return `<failure type="${escapeMarkup(type)}" message="${escapeMarkup(message.split('\n')[0]!)}">${escapeMarkup(message)}</failure>`;
}
