import { type ChildProcess, execFile } from 'node:child_process';
import { CommandError } from '../../src/commands/command.ts';

/** Thrown if a check needs something that this machine does not have; the message names what is missing. */
export class Skipped extends Error {}

/** Thrown if a client could not be generated or compiled; the message is the output of the tools. */
export class Failed extends Error {}

const TIMEOUT_MS = 600_000;
const MAX_WARNINGS = 5;
const MAX_BYTES = 64 * 1024 * 1024;

interface Options {
  cwd?: string;
  env?: Record<string, string>;
}

/**
 * Runs a command and resolves to its output on both streams.
 * @throws {Skipped} if the command does not exist
 * @throws {Failed} if the command does not exit with 0
 */
export function execute(command: string, args: string[], { cwd, env = {} }: Options = {}): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES };
  return new Promise((resolve, reject) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error?.code === 'ENOENT') reject(new Skipped(`${command} is not installed`));
      else if (error) reject(new Failed(`${command} ${args.join(' ')}\n${stdout}${stderr}`));
      else resolve(stdout + stderr);
    });
  });
}

/** Runs work that fetches from a registry. @throws {Skipped} if the work fails */
export async function fetched(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const [, ...said] = error.message.split('\n');
    const reason =
      said.find((line) => /^(npm error|\[?error| *curl error)/i.test(line)) ?? said.find(Boolean) ?? 'no reason given';
    throw new Skipped(`${what} could not be fetched: ${reason.slice(0, 200)}`);
  }
}

/**
 * Resolves to the capture of a pattern in the output of a process that keeps running.
 * @throws {CommandError} if the process ends before its output matches
 */
export function captureOutput(name: string, process: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let [output, captured] = ['', undefined as string | undefined];
    const listen = (chunk: Buffer) => {
      if (captured !== undefined) return;
      output += chunk.toString();
      captured = pattern.exec(output)?.[1];
      if (captured !== undefined) resolve(captured);
    };
    for (const stream of [process.stdout!, process.stderr!]) stream.on('data', listen);
    process.once('close', () => reject(new CommandError(`${name} has exited:\n${output}`)));
  });
}

/**
 * @param excused warnings of a generator that are not about the document
 * @throws {Failed} if a generator printed another warning
 */
export function expectNoWarning(output: string, excused: RegExp[] = []): void {
  const warnings = output
    .split('\n')
    .filter((line) => /\bwarn(ing)?\b/i.test(line) && !excused.some((words) => words.test(line)));
  if (warnings.length > 0) throw new Failed([...new Set(warnings)].slice(0, MAX_WARNINGS).join('\n'));
}

/** Runs the work once for all callers. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}
