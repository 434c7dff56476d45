/** One thing that is looked at. Resolves with what was seen, in a few words; rejects with why it is not so. */
export interface Check {
  what: string;
  look: () => Promise<string>;
}

/** Looks at one after the other and prints each verdict. True when all is well. */
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
