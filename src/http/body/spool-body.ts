import type { FileHandle } from 'node:fs/promises';
import { ApiError } from '../../contract/errors.ts';
import { withAnonymousTempFile } from './temp-file.ts';

/**
 * Receives a body into a temporary file and works with the file.
 * @throws {ApiError} `service_unavailable` if the body cannot be written; API errors of reading the body; the
 * errors of `work`
 */
export async function withSpooledBody<T>(
  body: AsyncIterable<Buffer>,
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  return withAnonymousTempFile(async (file) => {
    await file.writeFile(body).catch(failed);
    return work(file);
  });
}

export async function readFileBytes(file: FileHandle): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow((await file.stat()).size);
  await file.read(bytes, 0, bytes.length, 0);
  return bytes;
}

function failed(cause: unknown): never {
  if (cause instanceof ApiError) throw cause;
  throw new ApiError('service_unavailable', 'The service is temporarily unavailable; try again later.', { cause });
}
