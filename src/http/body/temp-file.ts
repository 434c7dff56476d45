import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Works with a temporary file. The file loses its name as soon as it is open, so the system frees it when it is closed
 * or when the process ends, even by a crash.
 * @throws the errors of opening the file and of `work`
 */
export async function withAnonymousTempFile<T>(work: (file: FileHandle) => Promise<T>): Promise<T> {
  const path = join(tmpdir(), `awareness-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    return await work(file);
  } finally {
    await file.close();
  }
}
