// Floods in the way that its first argument names, until it is killed. A process of its own, so that what it costs is not
// felt by those who measure.
import { type FloodTarget, floods } from './kinds.ts';

await floods[process.argv[2]!]!(JSON.parse(process.argv[3]!) as FloodTarget);
