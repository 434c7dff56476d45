import type { Stage } from './support/stage.ts';

/** One row of the table. */
export interface Finding {
  /** What was done to the service. */
  what: string;
  times: number;
  /** Seconds that nothing worked, at worst; Infinity: for as long as it was watched. */
  longestS?: number;
  /** Acknowledged changes that are not there afterwards, and mails that never came. */
  lost?: number;
  /** What is there twice, mails among it. */
  doubled?: number;
  /** What else was seen. */
  seen?: string;
  target: string;
  reached: boolean;
}

/** Reports what it finds to the stage, as it goes. */
export type Scenario = (stage: Stage) => Promise<void>;

/** The machine lacks what a scenario needs; the message says what. */
export class Skipped extends Error {}
