// Runs the flood that its first argument names, until it is killed. Runs in a separate process, so that its load does
// not affect the processes that measure.
import { type FloodTarget, floods, sendWorstBodies, WORST_BODIES } from './kinds.ts';

const flood = { ...floods, [WORST_BODIES]: sendWorstBodies }[process.argv[2]!]!;
void flood(JSON.parse(process.argv[3]!) as FloodTarget);
