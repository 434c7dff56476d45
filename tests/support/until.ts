/** Resolves once a condition holds. Looks 20 times a second. */
export async function until(condition: () => Promise<boolean> | boolean, timeoutMs = 60_000): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; ;) {
    if (await condition()) return;
    if (Date.now() > deadline) throw new Error(`did not happen in ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
