import { Misuse } from '../misuse.ts';

/** Thrown if there is no release to compare with, or if releases were tampered with; exit code 4. */
export class NoAnchor extends Misuse {
  override readonly exitCode = 4;
}
