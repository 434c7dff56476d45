import keys from '../../seeds/demo-keys.json' with { type: 'json' };
import { CommandError } from '../../src/commands/command.ts';

/** The URL of the demo, from the first argument of the command. */
export const [base = 'http://127.0.0.1:3000/v1'] = process.argv.slice(2);

/** Calls the demo with the key of its tenant. Returns the `data` of the response. */
export async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${keys.tenant}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new CommandError(`No service responds at ${base}; start the demo with make demo.`);
  });
  if (!answer.ok) throw new CommandError(`${method} ${path} returned ${await answer.text()}`);
  return ((await answer.json()) as { data: T }).data;
}
