import type { Knex } from 'knex';
import { inBatches } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/** White space as requests are trimmed of it. */
const SPACES = String.raw`U&' \0009\000a\000b\000c\000d\00a0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200a\2028\2029\202f\205f\3000\feff'`;

const trimmed = (table: string) => `btrim(${table}.external_learner_id, ${SPACES})`;

/**
 * Release 0.1.0 stored ids with the white space around them. Requests are trimmed, so nobody could name such a learner.
 * Ids that differ in white space alone, or consist of it, stay as they are: which learner has the id, a person must say.
 */
export async function up(knex: Knex): Promise<void> {
  await inBatches(knex, {
    table: 'learners',
    // Each batch reads the ids of all learners once, and few rows change.
    batchRows: 50_000,
    set: `external_learner_id = ${trimmed('learners')}`,
    where: `learners.external_learner_id <> ${trimmed('learners')} and ${trimmed('learners')} <> ''
            and not exists (select from learners o
                             where o.company_id = learners.company_id and o.id <> learners.id
                               and ${trimmed('o')} = ${trimmed('learners')})`,
  });
}

/** The white space is not kept: the ids stay trimmed. */
export async function down(): Promise<void> {}
