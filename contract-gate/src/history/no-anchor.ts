import { Misuse } from '../misuse.ts';

/** There is no release to compare with, or the releases were tampered with: exit code 4. */
export class NoAnchor extends Misuse {
  override readonly exitCode = 4;
}
