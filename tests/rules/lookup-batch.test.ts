import { LookupBatch } from '../../src/db/driver/lookup-batch.ts';

const companyId = '0192a3b4-0000-7000-8000-000000000001';
const failure = new Error('the end of the transaction failed');

/** Sends a batch of two lookups and collects their reports. */
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
  // The reply to the settings statement.
  batch.handleCommandComplete();
  return { batch, told };
}

test('an error after the last lookup is reported, and the results are kept', () => {
  const { batch, told } = sendBatch();
  batch.handleCommandComplete();
  batch.handleCommandComplete();
  batch.handleError(failure);
  batch.handleReadyForQuery();
  expect(told).toEqual([['one', null], ['two', null], failure]);
});

test('an error in the middle fails each unanswered lookup once', () => {
  const { batch, told } = sendBatch();
  batch.handleCommandComplete();
  batch.handleError(failure);
  batch.handleReadyForQuery();
  expect(told).toEqual([
    ['one', null],
    ['two', failure],
  ]);
});

test('a lookup without a result fails', () => {
  const { batch, told } = sendBatch();
  batch.handleCommandComplete();
  batch.handleReadyForQuery();
  expect(told).toEqual([
    ['one', null],
    ['two', expect.objectContaining({ message: 'Postgres skipped a statement' })],
  ]);
});
