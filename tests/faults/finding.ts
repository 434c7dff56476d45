import type { Stage } from './support/stage.ts';

/** A row of the results table. */
export interface Finding {
  /** The fault that was caused. */
  what: string;
  times: number;
  /** The longest outage in seconds; Infinity if the outage did not end while it was watched. */
  longestS?: number;
  /** Number of acknowledged changes that are missing after the fault, and of emails that never arrived. */
  lost?: number;
  /** Number of duplicates, including duplicate emails. */
  doubled?: number;
  /** Other observations. */
  seen?: string;
  target: string;
  reached: boolean;
}

/** A scenario, which reports its findings to the stage as they occur. */
export type Scenario = (stage: Stage) => Promise<void>;

/** Thrown if the machine lacks a requirement of a scenario, which the message names. */
export class Skipped extends Error {}
