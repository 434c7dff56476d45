import type { Formats } from './figure-formats.ts';
import type { FigureMessages } from './figure-messages.ts';

/** How figures are shown, and of whom. */
export interface Shown {
  messages: FigureMessages;
  formats: Formats;
  /** The child that they are of, as the parameter of the calls; empty for the own company. */
  child: Readonly<Record<string, string>>;
  today: Date;
}
