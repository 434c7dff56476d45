import { randomUUID } from 'node:crypto';
import express, { type RequestHandler } from 'express';
import type { Adapter } from 'oidc-provider';
import { normaliseClient, UnacceptableClient } from './client-metadata.ts';

const BODY_LIMIT_BYTES = 16 * 1024;

const readText = express.text({ type: ['application/json', 'application/*+json'], limit: BODY_LIMIT_BYTES });

/** RFC 7591, for anybody: a registration opens nothing by itself. */
export function registration(clients: Adapter): RequestHandler {
  const refuse = (error: UnacceptableClient['code'], description: string) => ({
    error,
    error_description: description,
  });
  return (req, res, next) => {
    readText(req, res, (unread?: unknown) => {
      const given = unread === undefined ? parse(req.body) : undefined;
      if (!given) {
        const most = `a JSON object of at most ${BODY_LIMIT_BYTES} bytes, sent as application/json`;
        return void res.status(400).json(refuse('invalid_client_metadata', `A client is registered with ${most}.`));
      }
      register(clients, given).then(
        (client) => res.status(201).json(client),
        (error: unknown) => {
          if (error instanceof UnacceptableClient) res.status(400).json(refuse(error.code, error.message));
          else next(error);
        },
      );
    });
  };
}

async function register(clients: Adapter, given: Record<string, unknown>): Promise<object> {
  const record = normaliseClient(given);
  const client = { client_id: randomUUID(), client_id_issued_at: Math.floor(Date.now() / 1000), ...record };
  await clients.upsert(client.client_id, client);
  return client;
}

function parse(body: unknown): Record<string, unknown> | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
