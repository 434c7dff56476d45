const MAX_KNOWN = 10_000;

/**
 * Which lists were shorter than a batch when they were read: of which company, by which statement. One that was longer
 * once, as with another filter, counts as long. It forgets the one that was noted first when there are too many.
 */
export class ResultSizeHints {
  readonly #isShort = new Map<string, boolean>();

  fitsOneBatch(companyId: string, statement: string): boolean {
    return this.#isShort.get(buildHintKey(companyId, statement)) ?? false;
  }

  record(companyId: string, statement: string, isShort: boolean): void {
    const key = buildHintKey(companyId, statement);
    const previous = this.#isShort.get(key);
    if (previous === undefined && this.#isShort.size >= MAX_KNOWN) {
      const [oldest] = this.#isShort.keys();
      this.#isShort.delete(oldest!);
    }
    this.#isShort.set(key, isShort && previous !== false);
  }
}

function buildHintKey(companyId: string, statement: string): string {
  return `${companyId} ${statement}`;
}
