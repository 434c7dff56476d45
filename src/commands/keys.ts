// Companies and their API keys: node src/commands/keys.ts --help
import { withOwnerDatabase } from './keys/owner-database.ts';
import { runKeys } from './keys/run.ts';

await runKeys(withOwnerDatabase);
