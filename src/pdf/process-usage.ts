import { readFileSync } from 'node:fs';

/** Of a clock tick of Linux, the same on every machine. */
const TICK_MS = 10;

/** What a process has used so far, where the system has a `/proc` to ask; undefined elsewhere or when it is gone. */
export function usageOf(pid: number): { cpuMs: number; memoryMib: number } | undefined {
  try {
    // The name of the program may hold spaces and brackets; what follows the last one is counted from the third field.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, memoryMib: Number(resident ?? 0) / 1024 };
  } catch {
    return undefined;
  }
}
