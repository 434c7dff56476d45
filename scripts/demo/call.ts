import keys from '../../seeds/demo-keys.json' with { type: 'json' };
import { CommandError } from '../../src/commands/command.ts';

/** The demo that a command is for: the one of its first argument. */
export const [base = 'http://127.0.0.1:3000/v1'] = process.argv.slice(2);

/** Calls the demo as its tenant does, and gives the data of the answer. */
export async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${keys.tenant}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new CommandError(`Nothing answers at ${base}: start the demo with make demo.`);
  });
  if (!answer.ok) throw new CommandError(`${method} ${path} answers ${await answer.text()}`);
  return ((await answer.json()) as { data: T }).data;
}
