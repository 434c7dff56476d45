import { type Answer, send } from '../../support/client.ts';

/** Sends a call with any key, including keys outside the test world. */
export function callWith(key: string, method: string, path: string, body?: unknown): Promise<Answer> {
  return send(method, path, {
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/**
 * Reads with a key until the status is `wanted`, for at most about two seconds, because processes cache keys. Returns
 * the last status.
 */
export async function statusOf(key: string, wanted: number): Promise<number> {
  for (let tries = 0; ; tries++) {
    const { status } = await callWith(key, 'GET', '/company');
    if (status === wanted || tries === 40) return status;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
