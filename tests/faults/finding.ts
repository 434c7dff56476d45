import type { Stage } from './support/stage.ts';

/** A row of the results table. */
export interface Finding {
  /** The fault that was caused. */
  what: string;
  times: number;
  /** The longest outage in seconds; Infinity if it lasted as long as it was watched. */
  longestS?: number;
  /** Acknowledged changes that are missing afterwards, and mails that never arrived. */
  lost?: number;
  /** Duplicates, including mails. */
  doubled?: number;
  /** Other observations. */
  seen?: string;
  target: string;
  reached: boolean;
}

/** Reports its findings to the stage as they occur. */
export type Scenario = (stage: Stage) => Promise<void>;

/** Thrown if the machine lacks a requirement of a scenario, which the message names. */
export class Skipped extends Error {}
