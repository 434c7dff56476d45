import { translateDatabaseError } from '../../src/db/database-errors.ts';

function databaseError(message: string, fields: { code: string; constraint?: string }): Error {
  return Object.assign(new Error(message), fields);
}

test.each([
  ['as Postgres names it', 'duplicate key value violates unique constraint "groups_name"', 'groups_name'],
  ['of a shard, by a node of Citus', 'duplicate key value violates unique constraint "groups_name_102238"', undefined],
  ['of a shard, while rows are copied', 'duplicate key value violates unique constraint "groups_name_7"', undefined],
])('a constraint is told to the client: %s', (_how, message, constraint) => {
  const error = databaseError(message, { code: '23505', ...(constraint && { constraint }) });
  expect(translateDatabaseError(error)).toMatchObject({ code: 'group_name_taken', cause: error });
});

test('the limit of the plan is told to the client, whichever node refuses', () => {
  const message = 'the active learners of the company violate check constraint "learner_limit"';
  expect(translateDatabaseError(databaseError(message, { code: '23514' }))).toMatchObject({
    code: 'learner_limit_reached',
  });
});

test.each([
  ['an unknown constraint', 'insert violates check constraint "enrollments_check_102"'],
  ['a message that only speaks of one', 'the constraint of groups_name is odd'],
])('%s is not translated', (_what, message) => {
  expect(translateDatabaseError(databaseError(message, { code: '23514' }))).toBeUndefined();
});
