// Stops all simulations of all companies, and starts them again: node src/commands/simulations.ts --help
import { withOwnerDatabase } from './keys/owner-database.ts';
import { runSimulations } from './simulations/run.ts';

await runSimulations(withOwnerDatabase);
