interface ManyLearners {
  companyIds: string[];
  /** Number of learners of each company. */
  count: number;
  /** Number of words in each of a learner's two names. A word and its space have 5 bytes. */
  words: number;
}

/**
 * Inserts learners with long names, so that a list of them is larger than the buffers between Postgres and a client.
 *
 * Postgres needs 1 ms to compute the search words of a learner with 160 words, and 7 ms for 960 words. It needs only
 * 0.1 ms for the rest of the row. The function therefore ends the computation in this test file's database, and the new
 * learners have no search words.
 */
export async function insertManyLearners({ companyIds, count, words }: ManyLearners): Promise<void> {
  // Citus does not alter generated columns of distributed tables.
  if (!process.env.TEST_CITUS_BIN) {
    await testService.query(
      `alter table learners alter column search_words drop expression, alter column search_words set default '{}'`,
    );
  }
  await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name)
     select company_id, ('0192a3b5-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'many' || n || '@tenant.test',
            repeat('long ', $3), repeat('name ', $3)
       from generate_series(1, $2) as n, unnest($1::uuid[]) as company_id`,
    [companyIds, count, words],
  );
}
