import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ON_DISK = join(import.meta.dirname, '../../.postgres/test');
const MEMORY = '/dev/shm';
const MOUNTS = '/proc/mounts';
/** A run takes up to 0.7 GiB. A standby is a copy of all of it, and Citus has three nodes. */
const ROOM_BYTES = 3 * 1024 ** 3;

/**
 * Where a run has its databases: in memory, where there is room. Each test file has a database of 300 files, which is
 * dropped at its end. On ext4 a new file takes the longer the more were removed in the last minutes, so that a database is
 * made there in 220 to 500 ms, and in memory in 20.
 */
export function chooseDataFolder(): string {
  return hasRoom() ? join(MEMORY, nameOfCheckout()) : ON_DISK;
}

/** Where what stands beside a data folder for a while has its place: in memory, too, or where the system keeps such. */
export function placeBeside(folder: string): string {
  return folder.startsWith(MEMORY) ? MEMORY : tmpdir();
}

/** Gives the memory back, unless another run of the same checkout uses it. */
export function leaveMemory(folder: string): void {
  const isInUse = existsSync(join(folder, 'cluster/postmaster.pid'));
  if (folder.startsWith(MEMORY) && !isInUse) rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  const mounts = existsSync(MOUNTS) ? readFileSync(MOUNTS, 'utf8').split('\n') : [];
  const own = mounts.filter((mount) => mount.split(' ')[1] === MEMORY);
  // A checkout in root's home has the programs of Postgres copied beside the databases.
  if (own.length === 0 || own.some((mount) => /\bnoexec\b/.test(mount))) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory() / 2) >= ROOM_BYTES;
}

function nameOfCheckout(): string {
  const hash = createHash('sha256').update(`${ON_DISK} ${process.getuid?.()}`).digest('hex');
  return `awareness-test-${hash.slice(0, 16)}`;
}
