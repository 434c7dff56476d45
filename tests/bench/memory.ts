import { readFileSync } from 'node:fs';
import { childrenOf } from './processor-time.ts';

/** Returns the MiB of a process and its children, counting shared memory once. Reads Linux' `/proc`. */
export function memoryOf(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + proportionalMib(one), 0);
}

/** Returns the MiB of a process with its share of shared memory; 0 if the process has ended. */
function proportionalMib(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(text)![1]) / 1024;
  } catch {
    return 0;
  }
}
