/** Thrown for an invalid call of the gate or an unreadable file; exit code 2. */
export class Misuse extends Error {
  readonly exitCode: number = 2;
}
