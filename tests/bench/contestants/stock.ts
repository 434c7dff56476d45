// Mounts the same libraries as their READMEs show: every middleware per request, a key lookup per request, and
// knex.transaction for row-level security.
import { readFileSync } from 'node:fs';
import express, { type NextFunction, type Request, type Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { rateLimit } from 'express-rate-limit';
import helmet from 'helmet';
import knex from 'knex';
import { pino } from 'pino';
import { pinoHttp } from 'pino-http';
import { hashApiKey } from '../../../src/auth/api-key.ts';
import { type LearnerRow, toLearner } from '../../../src/resources/learners/learner-repository.ts';

const db = knex({ client: 'pg', connection: process.env.DATABASE_URL, pool: { min: 0, max: 10 } });
const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  components: { securitySchemes: Record<string, unknown> };
};
const schemes = Object.keys(document.components.securitySchemes);
const app = express();

app.use(helmet());
app.use(pinoHttp({ logger: pino(pino.destination(1)) }));
app.use(express.json());
app.use(async (req: Request, res: Response, next: NextFunction) => {
  const hash = Buffer.from(hashApiKey(req.headers.authorization?.slice('Bearer '.length) ?? ''), 'hex');
  const found = await db.raw<{ rows: { key_id: string; company_id: string }[] }>('select * from find_key_caller(?)', [
    hash,
  ]);
  const [key] = found.rows;
  if (!key) return void res.status(401).end();
  res.locals.key = key;
  next();
});
app.use(
  rateLimit({
    windowMs: 60_000,
    limit: 100_000_000,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (req) => (req.res!.locals.key as { key_id: string }).key_id,
  }),
);
app.use(
  OpenApiValidator.middleware({
    apiSpec: document as never,
    validateRequests: true,
    validateSecurity: { handlers: Object.fromEntries(schemes.map((scheme) => [scheme, () => true])) },
  }),
);
app.get('/v1/learners/:learnerId', async (req, res) => {
  const { company_id } = res.locals.key as { company_id: string };
  const row = await db.transaction(async (trx) => {
    await trx.raw(`select set_config('app.company_id', ?, true)`, [company_id]);
    return readLearner(trx, company_id, req.params.learnerId);
  });
  res.json({ data: toLearner(row) });
});
app.listen(Number(process.env.PORT), '127.0.0.1');

/** Reads the learner with the same SELECT, built by Knex for each request. */
async function readLearner(trx: knex.Knex.Transaction, companyId: string, learnerId: string): Promise<LearnerRow> {
  const [row] = (await trx('learners as l')
    .select('l.id', 'l.email', 'l.inactive', 'l.locale', {
      externalLearnerId: 'l.external_learner_id',
      firstName: 'l.first_name',
      lastName: 'l.last_name',
      createdAt: 'l.created_at',
      updatedAt: 'l.updated_at',
      excludedFromAutoEnrol: 'l.excluded_from_auto_enrol',
      riskScore: 'l.risk_score',
    })
    .select(
      trx.raw(`l.first_name || ' ' || l.last_name as name`),
      trx.raw(`exists (select from group_managers gm
        where gm.company_id = l.company_id and gm.learner_id = l.id) as "isManager"`),
      trx.raw(`coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
        from group_learners gl join groups g on g.company_id = gl.company_id and g.id = gl.group_id
        where gl.company_id = l.company_id and gl.learner_id = l.id), '[]') as groups`),
      trx.raw(`(select json_build_object('id', m.id, 'name', m.first_name || ' ' || m.last_name, 'email', m.email)
        from group_learners gl
        join groups g on g.company_id = gl.company_id and g.id = gl.group_id
        join group_managers gm on gm.company_id = gl.company_id and gm.group_id = gl.group_id
        join learners m on m.company_id = gm.company_id and m.id = gm.learner_id
        where gl.company_id = l.company_id and gl.learner_id = l.id and m.id <> l.id
        order by g.name, m.id limit 1) as manager`),
    )
    .where({ 'l.company_id': companyId, 'l.id': learnerId })) as LearnerRow[];
  return row!;
}
