import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ON_DISK = join(import.meta.dirname, '../../.postgres/test');
const MEMORY = '/dev/shm';
const MOUNTS = '/proc/mounts';
/** Free memory that a run needs. A server takes up to 0.7 GiB; a standby is a second server, Citus has three. */
const ROOM_BYTES = 3 * 1024 ** 3;

/**
 * Returns the folder for a run's databases: in memory if there is room, otherwise on disk. Each test file has a
 * database of 300 files, which is dropped after the test file. On ext4, the more files were removed in the last
 * minutes, the longer creating a file takes: creating a database takes 220 to 500 ms on ext4 and 20 ms in memory.
 */
export function chooseDataFolder(): string {
  return hasRoom() ? join(MEMORY, nameOfCheckout()) : ON_DISK;
}

/**
 * Returns the parent of a run's temporary folders: in memory if the data folder is in memory, otherwise the system's.
 */
export function chooseTempParent(folder: string): string {
  return folder.startsWith(MEMORY) ? MEMORY : tmpdir();
}

/** Deletes a data folder in memory, unless another run of the same checkout uses it. */
export function leaveMemory(folder: string): void {
  const isInUse = existsSync(join(folder, 'cluster/postmaster.pid'));
  if (folder.startsWith(MEMORY) && !isInUse) rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  const mounts = existsSync(MOUNTS) ? readFileSync(MOUNTS, 'utf8').split('\n') : [];
  const own = mounts.filter((mount) => mount.split(' ')[1] === MEMORY);
  // For a checkout in root's home, the programs of Postgres are copied next to the databases and run from there.
  if (own.length === 0 || own.some((mount) => /\bnoexec\b/.test(mount))) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory() / 2) >= ROOM_BYTES;
}

function nameOfCheckout(): string {
  const hash = createHash('sha256').update(`${ON_DISK} ${process.getuid?.()}`).digest('hex');
  return `awareness-test-${hash.slice(0, 16)}`;
}
