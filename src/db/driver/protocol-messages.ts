import type { Writable } from 'node:stream';
import { serialize } from 'pg-protocol';
import type { ProtocolStatement } from './statement-plan.ts';

/** The part of node-postgres' connection that the query classes of the driver use. Its typings leave it out. */
export interface ProtocolConnection {
  stream: Pick<Writable, 'writable' | 'write'>;
  submittedNamedStatements: Record<string, string>;
  parsedStatements: Record<string, string>;
}

/**
 * Builds the messages that bind a statement, preceded by its Parse message unless the connection has prepared its name.
 */
export function binding(connection: ProtocolConnection, { name, text, values }: ProtocolStatement): Buffer[] {
  const bind = serialize.bind({ statement: name, values });
  if (name && (connection.submittedNamedStatements[name] ?? connection.parsedStatements[name])) return [bind];
  if (name) connection.submittedNamedStatements[name] = text;
  return [serialize.parse({ name, text }), bind];
}

export function executing(connection: ProtocolConnection, step: ProtocolStatement): Buffer[] {
  return [...binding(connection, step), serialize.execute()];
}

/** Sends messages in one write. For small messages, each write costs as much as the rest of the work. */
export function send({ stream }: ProtocolConnection, messages: readonly Buffer[]): void {
  if (stream.writable) stream.write(Buffer.concat(messages));
}
