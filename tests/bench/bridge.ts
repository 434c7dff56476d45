import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { median } from './processes.ts';
import type { Figure } from './run.ts';

const ROUNDS = 61;
const BRIDGE = join(import.meta.dirname, '../../bridge/bridge.mjs');

/** Runs the stdio bridge from start to end without work, alternating with a Node process without a program. */
export async function benchBridge(): Promise<Figure[]> {
  const times: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const empty = await timed(['-e', '0']);
    const bridge = await timed([BRIDGE]);
    times.push(bridge);
    ratios.push(bridge / empty);
  }
  return [
    {
      what: `starting the stdio bridge (here ${Math.round(median(times))} ms)`,
      against: 'an empty Node process',
      unit: 'x',
      target: 1.3,
      least: false,
      value: median(ratios),
    },
  ];
}

async function timed(args: string[]): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { SERVICE_API_KEY: 'sk_bench' },
  });
  child.stdin.end();
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return performance.now() - startedAt;
}
