import type { Formats } from './figure-formats.ts';
import type { FigureWords } from './figure-words.ts';

/** How figures are shown, and of whom. */
export interface Shown {
  words: FigureWords;
  formats: Formats;
  /** The child that they are of, as the parameter of the calls; empty for the own company. */
  child: Readonly<Record<string, string>>;
  today: Date;
}
