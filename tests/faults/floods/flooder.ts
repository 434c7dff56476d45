// Floods in the way that its first argument names, until it is killed. A process of its own, so that what it costs is not
// felt by those who measure.
import { type FloodTarget, floods, sendWorstBodies, WORST_BODIES } from './kinds.ts';

const flood = { ...floods, [WORST_BODIES]: sendWorstBodies }[process.argv[2]!]!;
void flood(JSON.parse(process.argv[3]!) as FloodTarget);
