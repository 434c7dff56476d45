import { readFileSync } from 'node:fs';
import { childrenOf } from './processor-time.ts';

/** MiB of a process and its children; what processes share counts once. Reads Linux' `/proc`. */
export function memoryOf(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + proportionalMib(one), 0);
}

/** 0 for one that has gone. */
function proportionalMib(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(text)![1]) / 1024;
  } catch {
    return 0;
  }
}
