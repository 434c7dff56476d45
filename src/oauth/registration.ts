import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Adapter } from 'oidc-provider';
import { readText } from '../http/body/body-text.ts';
import { normaliseClient, UnacceptableClient } from './client-metadata.ts';

const BODY_LIMIT_BYTES = 16 * 1024;

const TYPES = ['application/json', 'application/*+json'];

/** Registers clients as in RFC 7591. Anybody can register a client, because a registration does not give access. */
export function registration(clients: Adapter): RequestHandler {
  return async (req, res) => {
    try {
      const input = req.is(TYPES) ? await readText(req, BODY_LIMIT_BYTES).catch(unreadable) : undefined;
      res.status(201).json(await register(clients, parse(input)));
    } catch (error) {
      if (!(error instanceof UnacceptableClient)) throw error;
      res.status(400).json({ error: error.code, error_description: error.message });
    }
  };
}

async function register(clients: Adapter, input: Record<string, unknown>): Promise<object> {
  const record = normaliseClient(input);
  const client = { client_id: randomUUID(), client_id_issued_at: Math.floor(Date.now() / 1000), ...record };
  await clients.upsert(client.client_id, client);
  return client;
}

function parse(text = ''): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return unreadable();
  return value as Record<string, unknown>;
}

function unreadable(): never {
  const form = `a JSON object of at most ${BODY_LIMIT_BYTES} bytes, sent as application/json`;
  throw new UnacceptableClient('invalid_client_metadata', `The registration must be ${form}.`);
}
