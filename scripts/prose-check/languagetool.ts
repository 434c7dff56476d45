import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Passage } from './passages.ts';
import type { AcceptedWords } from './reviewed.ts';

/** A finding of LanguageTool, at an offset of a passage. */
export interface Finding {
  /** The index of the passage. */
  id: number;
  rule: string;
  category: string;
  message: string;
  offset: number;
  length: number;
  replacements: string[];
}

/** Disabled rules and categories, and the words that the spelling rules accept. */
export interface Settings {
  words: AcceptedWords;
  rules: readonly string[];
  categories: readonly string[];
}

const HERE = import.meta.dirname;
/** JVM options for a run that takes a minute: too short for the optimising compiler to pay off. */
const JAVA_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx2g'];

/** Returns the programs that are not on the path. */
export function missingPrograms(programs: readonly string[]): string[] {
  return programs.filter((program) => spawnSync(program, ['-version'], { stdio: 'ignore' }).error !== undefined);
}

/** Downloads LanguageTool with Maven, unless it is already in a folder. */
export async function installLanguageTool(folder: string): Promise<void> {
  const installed = join(folder, '.installed');
  if (existsSync(installed)) return;
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${partial}`];
  await promisify(execFile)('mvn', ['-q', '-B', '-f', join(HERE, 'pom.xml'), ...goal]);
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
  await writeFile(installed, '');
}

/** Checks passages with the LanguageTool of a folder, in one Java process. */
export async function findMistakes(
  folder: string,
  passages: readonly Passage[],
  settings: Settings,
): Promise<Finding[]> {
  const java = spawn('java', [...JAVA_OPTIONS, '-cp', join(folder, '*'), join(HERE, 'Check.java')], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines = [settings, ...passages.map(({ language, parts }, id) => ({ id, language, parts }))];
  java.stdin.end(lines.map((line) => JSON.stringify(line)).join('\n'));
  const ended = new Promise<number | null>((resolve, reject) => java.on('close', resolve).on('error', reject));
  const [output, errors, code] = await Promise.all([text(java.stdout), text(java.stderr), ended]);
  if (code !== 0) throw new Error(`LanguageTool failed: ${errors}`);
  const findings = output.split('\n').filter((line) => line !== '');
  return findings.map((line) => JSON.parse(line) as Finding);
}
