import type { Knex } from 'knex';

const TELLERS = ['learners', 'groups', 'enrollments', 'policy_results', 'simulations', 'simulation_recipients'];

/**
 * Without nested loops, Postgres before 18 takes the joins of these functions for so costly that it compiles them to machine
 * code on every call, which takes longer than all else.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of TELLERS) await knex.raw(`alter function tell_of_${table}_update() set jit = off`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TELLERS) await knex.raw(`alter function tell_of_${table}_update() reset jit`);
}
