import type { Knex } from 'knex';
import { addConstraint } from '../src/db/migration-steps.ts';

// The migration only consists of steps that can be run again after a run was killed halfway.
export const config = { transaction: false };

const KINDS = `'course_result', 'policy_signature', 'simulation_event', 'reported_message'`;

/** Lets events of simulations be voided, and corrections name them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table simulation_events add column if not exists voided_at timestamptz(3)');
  await knex.raw('grant update (voided_at) on simulation_events to awareness_service');
  await addConstraint(knex, 'corrections', 'corrections_kind', `check (kind in (${KINDS}))`);
  await knex.raw('alter table corrections drop constraint if exists corrections_kind_check');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from corrections where kind in ('simulation_event', 'reported_message')`);
  const kinds = `'course_result', 'policy_signature'`;
  await addConstraint(knex, 'corrections', 'corrections_kind_check', `check (kind in (${kinds}))`);
  await knex.raw('alter table corrections drop constraint if exists corrections_kind');
  await knex.raw('alter table simulation_events drop column if exists voided_at');
}
