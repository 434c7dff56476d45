import { LookupBatch } from '../../src/db/driver/lookup-batch.ts';

const companyId = '0192a3b4-0000-7000-8000-000000000001';
const failure = new Error('the end of the transaction failed');

/** A batch of two lookups that was sent, and what it has told so far. */
function sendBatch(): { batch: LookupBatch; told: unknown[] } {
  const told: unknown[] = [];
  const lookups = ['one', 'two'].map((name) => ({
    statement: { name, text: 'select' },
    values: [],
    settle: (error: Error | null) => told.push([name, error]),
  }));
  const batch = new LookupBatch({ companyId, timeoutMs: 1000, onFailure: (error) => told.push(error) }, lookups);
  const stream = { writable: true, write: () => true } as never;
  batch.prepare({ stream, submittedNamedStatements: {}, parsedStatements: {} });
  // The settings.
  batch.handleCommandComplete();
  return { batch, told };
}

test('an error behind the last lookup is told, and what they were answered stays', () => {
  const { batch, told } = sendBatch();
  batch.handleCommandComplete();
  batch.handleCommandComplete();
  batch.handleError(failure);
  batch.handleReadyForQuery();
  expect(told).toEqual([['one', null], ['two', null], failure]);
});

test('an error in the middle is that of the lookups without an answer, and of each once', () => {
  const { batch, told } = sendBatch();
  batch.handleCommandComplete();
  batch.handleError(failure);
  batch.handleReadyForQuery();
  expect(told).toEqual([
    ['one', null],
    ['two', failure],
  ]);
});

test('a lookup that Postgres leaves out has failed', () => {
  const { batch, told } = sendBatch();
  batch.handleCommandComplete();
  batch.handleReadyForQuery();
  expect(told).toEqual([
    ['one', null],
    ['two', expect.objectContaining({ message: 'Postgres skipped a statement' })],
  ]);
});
