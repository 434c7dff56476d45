import type { Writable } from 'node:stream';
import { serialize } from 'pg-protocol';
import type { ProtocolStatement } from './statement-plan.ts';

/** The part of node-postgres' connection that our query classes use. Its typings leave it out. */
export interface ProtocolConnection {
  stream: Pick<Writable, 'writable' | 'write'>;
  submittedNamedStatements: Record<string, string>;
  parsedStatements: Record<string, string>;
}

/** The messages that make a statement ready to be executed. It is parsed where the connection does not know its name. */
export function binding(connection: ProtocolConnection, { name, text, values }: ProtocolStatement): Buffer[] {
  const bind = serialize.bind({ statement: name, values });
  if (name && (connection.submittedNamedStatements[name] ?? connection.parsedStatements[name])) return [bind];
  if (name) connection.submittedNamedStatements[name] = text;
  return [serialize.parse({ name, text }), bind];
}

export function executing(connection: ProtocolConnection, step: ProtocolStatement): Buffer[] {
  return [...binding(connection, step), serialize.execute()];
}

/** In one write: for small messages, each would cost as much as all the rest. */
export function send({ stream }: ProtocolConnection, messages: readonly Buffer[]): void {
  if (stream.writable) stream.write(Buffer.concat(messages));
}
