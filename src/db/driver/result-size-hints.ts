const MAX_ENTRIES = 10_000;

/**
 * Remembers, by company and statement, whether lists fitted into one batch. A list that was longer once, for example
 * with another filter, counts as long after that. Above 10,000 entries, the oldest one is forgotten.
 */
export class ResultSizeHints {
  readonly #isShort = new Map<string, boolean>();

  fitsOneBatch(companyId: string, statement: string): boolean {
    return this.#isShort.get(buildHintKey(companyId, statement)) ?? false;
  }

  record(companyId: string, statement: string, isShort: boolean): void {
    const key = buildHintKey(companyId, statement);
    const previous = this.#isShort.get(key);
    if (previous === undefined && this.#isShort.size >= MAX_ENTRIES) {
      const [oldest] = this.#isShort.keys();
      this.#isShort.delete(oldest!);
    }
    this.#isShort.set(key, isShort && previous !== false);
  }
}

function buildHintKey(companyId: string, statement: string): string {
  return `${companyId} ${statement}`;
}
