// The lower bound of response times: node:http and pg with the same SELECT as a named prepared statement, without a
// framework and without tenancy.
import { createServer } from 'node:http';
import type pg from 'pg';
import { registeredStatements } from '../../../src/db/statement.ts';
import '../../../src/resources/learners/learner-repository.ts';
import { COMPANY_ID } from '../dataset.ts';

/** Serves one learner by id, and the list of all learners for a path without an id. */
export function serveBare(run: (query: pg.QueryConfig) => Promise<pg.QueryResult>): void {
  const [one, all] = ['learner_by_id', 'learner_list'].map((asked) => {
    return registeredStatements().find(({ name }) => name === asked)!;
  });
  createServer((req, res) => {
    const isList = req.url!.endsWith('/learners');
    const { name, text, values } = isList ? all! : one!;
    const learnerId = req.url!.slice(-36);
    void run({ name, text, values: values(process.env.COMPANY_ID ?? COMPANY_ID, { learnerId } as never) }).then(
      ({ rows }) => {
        const json = JSON.stringify({ data: isList ? rows : (rows[0] as unknown) });
        res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
        res.end(json);
      },
    );
  }).listen(Number(process.env.PORT), '127.0.0.1');
}
