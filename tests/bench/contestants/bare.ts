// The bare handler with a pool of ten.
import pg from 'pg';
import { serveBare } from './bare-handler.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
serveBare((query) => pool.query(query));
