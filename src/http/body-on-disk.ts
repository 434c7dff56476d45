import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../errors.ts';

/**
 * Receives a body into a temporary file and works with that. The file loses its name as soon as it is open, so the
 * system frees it when it is closed, and when the process ends, however it ends.
 * @throws {ApiError} `service_unavailable` when the body cannot be written, and what the work throws
 */
export async function withBodyOnDisk<T>(req: IncomingMessage, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await openNameless().catch(failed);
  try {
    // NOTE: the request must outlive a full disk, which it is answered about.
    await file.writeFile(req.iterator({ destroyOnReturn: false })).catch(failed);
    return await work(file);
  } finally {
    await file.close();
  }
}

/** All that is in a file. */
export async function bytesOf(file: FileHandle): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow((await file.stat()).size);
  await file.read(bytes, 0, bytes.length, 0);
  return bytes;
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

function failed(cause: unknown): never {
  throw new ApiError('service_unavailable', 'The service is temporarily unavailable.', { cause });
}
