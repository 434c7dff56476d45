import { unzipSync } from 'fflate';
import { type KeyName, keys } from './world.ts';

/** Downloads an exported course. Returns the bytes of the ZIP file, and its files by their paths. */
export async function exportCourse(
  courseId: string,
  query = '',
  key: KeyName = 'tenant',
): Promise<{ bytes: Buffer; files: Map<string, Buffer>; fileName: string | undefined }> {
  const headers = { authorization: `Bearer ${keys[key]}` };
  const response = await fetch(`${testService.url}/v1/courses/${courseId}/export${query}`, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/zip');
  const bytes = Buffer.from(await response.arrayBuffer());
  const files = new Map(Object.entries(unzipSync(bytes)).map(([path, file]) => [path, Buffer.from(file)]));
  return { bytes, files, fileName: /filename="([^"]+)"/.exec(response.headers.get('content-disposition')!)?.[1] };
}
