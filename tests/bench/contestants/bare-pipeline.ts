// The bare handler with two connections on which statements are pipelined.
import pg from 'pg';
import { serveBare } from './bare-handler.ts';

const clients = await Promise.all(
  Array.from({ length: 2 }, async () => {
    const client = new pg.Client({ connectionString: process.env.DATABASE_URL, pipeline: true });
    await client.connect();
    return client;
  }),
);

let turn = 0;
serveBare((query) => clients[turn++ % clients.length]!.query(query));
