// The floor: node:http and pg, the same SELECT as a named prepared statement, no framework and no tenancy.
import { createServer } from 'node:http';
import pg from 'pg';
import { registeredStatements } from '../../../src/db/statement.ts';
import '../../../src/resources/learners/learner-repository.ts';
import { COMPANY_ID } from '../dataset.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const statement = registeredStatements().find(({ name }) => name === 'learner_by_id')!;

createServer((req, res) => {
  const learnerId = req.url!.slice(-36);
  const values = statement.values(COMPANY_ID, { learnerId } as never);
  void pool.query({ name: statement.name, text: statement.text, values }).then(({ rows }) => {
    const text = JSON.stringify({ data: rows[0] as unknown });
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    res.end(text);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
