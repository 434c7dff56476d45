import { join, relative } from 'node:path';
import { getLineColLocation, lint, loadConfig, type NormalizedProblem, YamlParseError } from '@redocly/openapi-core';

const root = join(import.meta.dirname, '../..');

/** Returns the problems that the rules of redocly.yaml find in api/, each with its file and line. */
export async function lintContract(): Promise<string[]> {
  const config = await loadConfig({ configPath: join(root, 'redocly.yaml') });
  try {
    const problems = await lint({ ref: join(root, 'api/openapi.yaml'), config });
    // Each reference into an unreadable file is also reported, but adds no information.
    const unreadable = problems.filter(({ message }) => message.startsWith('Failed to parse'));
    return [...new Set((unreadable.length > 0 ? unreadable : problems).map(formatProblem))];
  } catch (error) {
    if (!(error instanceof YamlParseError)) throw error;
    return [placed(error.source.absoluteRef, error, error.message)];
  }
}

function formatProblem({ location, message, ruleId }: NormalizedProblem): string {
  const { source, start } = getLineColLocation(location[0]!);
  return placed(source.absoluteRef, start, `${message} (${ruleId})`);
}

function placed(file: string, { line, col }: { line: number; col: number }, message: string): string {
  return `${relative(root, file)}:${line}:${col}  ${message}`;
}
