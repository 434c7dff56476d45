// Stops all simulations of all companies, and lets them go on: node src/commands/simulations.ts --help
import { withOwnerDatabase } from './keys/owner-database.ts';
import { runSimulations } from './simulations/run.ts';

await runSimulations(withOwnerDatabase);
