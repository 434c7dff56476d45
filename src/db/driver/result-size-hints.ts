const MAX_KNOWN = 10_000;

/**
 * Which lists were shorter than a batch when they were read: of which company, by which statement. One that was longer
 * once, as with another filter, counts as long. It forgets the one that was noted first when there are too many.
 */
export class ResultSizeHints {
  readonly #isShort = new Map<string, boolean>();

  fitsOneBatch(companyId: string, statement: string): boolean {
    return this.#isShort.get(keyOf(companyId, statement)) ?? false;
  }

  record(companyId: string, statement: string, isShort: boolean): void {
    const key = keyOf(companyId, statement);
    const known = this.#isShort.get(key);
    if (known === undefined && this.#isShort.size >= MAX_KNOWN) {
      const [oldest] = this.#isShort.keys();
      this.#isShort.delete(oldest!);
    }
    this.#isShort.set(key, isShort && known !== false);
  }
}

function keyOf(companyId: string, statement: string): string {
  return `${companyId} ${statement}`;
}
