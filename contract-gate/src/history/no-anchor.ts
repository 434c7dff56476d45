import { Misuse } from '../misuse.ts';

/** No release to compare with, or releases that were tampered with: exit code 4. */
export class NoAnchor extends Misuse {
  override readonly exitCode = 4;
}
