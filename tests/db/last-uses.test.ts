import pg from 'pg';

/** Returns the setting of synchronous_commit with which a transaction commits after this statement. */
async function waitsFor(statement: string, url = testService.database.ownerUrl): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('begin; set local synchronous_commit = on');
    await client.query(statement);
    const { rows } = await client.query<{ synchronous_commit: string }>('show synchronous_commit');
    return rows[0]!.synchronous_commit;
  } finally {
    await client.end();
  }
}

// While a synchronous standby is away, transactions that wait for it hang; reads must still record last uses.
test.each(['api_keys', 'oauth_grants', 'person_sessions', 'sources'])(
  'recording the last use in %s waits for no standby, and other changes do',
  async (table) => {
    expect(await waitsFor(`update ${table} set last_used_at = now() where false`)).toBe('off');
    expect(await waitsFor(`update ${table} set created_at = created_at where false`)).toBe('on');
  },
);

test('looking up a key as the service waits for no standby', async () => {
  const { serviceUrl } = testService.database;
  expect(await waitsFor(`select find_key_caller('\\x00')`, serviceUrl)).toBe('off');
});
