import { Misuse } from '../misuse.ts';

/** There is nothing that changes can be held to, or it was tampered with: exit code 4. */
export class NoAnchor extends Misuse {
  override readonly exitCode = 4;
}
