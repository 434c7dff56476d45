import type { Writable } from 'node:stream';
import { serialize } from 'pg-protocol';
import type { Step } from './tenant-steps.ts';

/** The part of node-postgres' connection that our query classes use. Its typings leave it out. */
export interface Wire {
  stream: Pick<Writable, 'writable' | 'write'>;
  submittedNamedStatements: Record<string, string>;
  parsedStatements: Record<string, string>;
}

/** The messages that make a statement ready to be executed. It is parsed where the connection does not know its name. */
export function binding(wire: Wire, { name, text, values }: Step): Buffer[] {
  const bind = serialize.bind({ statement: name, values });
  if (name && (wire.submittedNamedStatements[name] ?? wire.parsedStatements[name])) return [bind];
  if (name) wire.submittedNamedStatements[name] = text;
  return [serialize.parse({ name, text }), bind];
}

export function executing(wire: Wire, step: Step): Buffer[] {
  return [...binding(wire, step), serialize.execute()];
}

/** In one write: for small messages, each would cost as much as all the rest. */
export function send({ stream }: Wire, messages: readonly Buffer[]): void {
  if (stream.writable) stream.write(Buffer.concat(messages));
}
