import { translateDatabaseError } from '../../src/db/database-errors.ts';

function databaseError(message: string, fields: { code: string; constraint?: string }): Error {
  return Object.assign(new Error(message), fields);
}

test.each([
  ['as Postgres names it', 'duplicate key value violates unique constraint "groups_name"', 'groups_name'],
  ['with the shard suffix of a node', 'duplicate key value violates unique constraint "groups_name_102238"', undefined],
  ['with the suffix of a moving shard', 'duplicate key value violates unique constraint "groups_name_7"', undefined],
])('a violated constraint becomes a client error: %s', (_how, message, constraint) => {
  const error = databaseError(message, { code: '23505', ...(constraint && { constraint }) });
  expect(translateDatabaseError(error)).toMatchObject({ code: 'group_name_taken', cause: error });
});

test('exceeding the learner limit becomes a client error, whichever node reports it', () => {
  const message = 'the active learners of the company violate check constraint "learner_limit"';
  expect(translateDatabaseError(databaseError(message, { code: '23514' }))).toMatchObject({
    code: 'learner_limit_reached',
  });
});

test.each([
  ['an unknown constraint', 'insert violates check constraint "enrollments_check_102"'],
  ['a message that only mentions a constraint', 'the constraint of groups_name is odd'],
])('%s is not translated', (_what, message) => {
  expect(translateDatabaseError(databaseError(message, { code: '23514' }))).toBeUndefined();
});
