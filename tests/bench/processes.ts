import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { API_KEY, LEARNER_ID } from './dataset.ts';

export interface Contestant {
  url: string;
  child: ChildProcess;
}

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Number of calls after which a process has compiled the code of a read. */
const WARM_UP_CALLS = 500;
/** Number of calls that a contestant answers during its start. */
export const STARTING_CALLS = WARM_UP_CALLS + 1;

/** Starts a contestant and waits until it returns one learner. */
export async function startContestant(script: string, env: Record<string, string>): Promise<Contestant> {
  const port = await freePort();
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const url = `http://127.0.0.1:${port}/v1`;
  const headers = { authorization: `Bearer ${API_KEY.key}` };
  for (let tries = 0; ; tries++) {
    const answers = fetch(`${url}/learners/${LEARNER_ID}`, { headers }).then(({ ok }) => ok);
    if (await answers.catch(() => false)) break;
    if (tries > 1200 || child.exitCode !== null) throw new Error(`${script} does not start`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (let i = 0; i < WARM_UP_CALLS; i++) await (await fetch(`${url}/learners/${LEARNER_ID}`, { headers })).text();
  return { url, child };
}

export async function stopContestant({ child }: Contestant): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

/** Runs one statement in psql as the owner and returns the milliseconds that psql reports. */
export async function timeInPsql(url: string, script: string): Promise<number> {
  return (await timesInPsql(url, script)).at(-1)!;
}

/** Returns the milliseconds that each statement of a script takes. */
export async function timesInPsql(url: string, script: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', url, '-f', script]);
  return [...stdout.matchAll(/^Time: ([\d.]+) ms/gm)].map((match) => Number(match[1]));
}

/** Returns the resident memory of a process in MiB. */
function residentMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

/**
 * Number of calls after which V8 has usually grown its young generation fully; later, it would count as memory growth.
 */
const CALLS_OF_A_BUSY_PROCESS = 100_000;

/**
 * Returns by how much the peak memory of consecutive calls exceeds the memory of a process busy with small calls. A new
 * process would be no baseline: under any load, V8 eventually doubles its young generation, possibly during the
 * measured calls.
 */
export async function memoryGrowth(
  contestant: Contestant,
  call: () => Promise<unknown>,
  times: number,
): Promise<number> {
  const pid = contestant.child.pid!;
  await load(contestant, { amount: CALLS_OF_A_BUSY_PROCESS });
  const busy = residentMib(pid);
  let peak = busy;
  const sampler = setInterval(() => (peak = Math.max(peak, residentMib(pid))), 10);
  for (let i = 0; i < times; i++) await call();
  clearInterval(sampler);
  return peak - busy;
}

const CONNECTIONS = 16;

const ONE_LEARNER = { path: `/learners/${LEARNER_ID}`, key: API_KEY.key };

/** Requests one learner, or another path, repeatedly for a number of calls or seconds; returns requests per second. */
export async function load(
  { url }: Contestant,
  until: Pick<autocannon.Options, 'amount' | 'duration'>,
  { path, key } = ONE_LEARNER,
): Promise<number> {
  const result = await autocannon({
    url: url + path,
    connections: CONNECTIONS,
    headers: { authorization: `Bearer ${key}` },
    ...until,
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} failed under load`);
  return result.requests.average;
}

const agent = new Agent({ keepAlive: true });

/** Returns the time from the start of a GET until its last byte, in milliseconds. */
export function timeGet(url: string, key: string): Promise<number> {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().once('end', () => resolve(performance.now() - startedAt));
    }).on('error', reject);
  });
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
