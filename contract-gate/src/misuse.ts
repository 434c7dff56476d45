/** The gate was called wrongly, or a file cannot be read: exit code 2. */
export class Misuse extends Error {
  readonly exitCode: number = 2;
}
