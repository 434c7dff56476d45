/** A single check. Resolves with a short observation; rejects with the reason of its failure. */
export interface Check {
  what: string;
  look: () => Promise<string>;
}

/** Runs the checks in order and prints each verdict. Resolves to true if all pass. */
export async function lookAtAll(checks: readonly Check[]): Promise<boolean> {
  let failures = 0;
  for (const { what, look } of checks) {
    const startedAt = Date.now();
    try {
      const seen = await look();
      console.log(`ok    ${what}: ${seen} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failures += 1;
      console.log(`FAIL  ${what}\n${(error as Error).message.replace(/^/gm, '      ')}`);
    }
  }
  console.log(failures === 0 ? `\nAll ${checks.length} are well.` : `\n${failures} of ${checks.length} failed.`);
  return failures === 0;
}

export function expect(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}
