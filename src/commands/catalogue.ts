// Loads the managed catalogue of courses from a file: node src/commands/catalogue.ts --help
import { runCatalogue } from './catalogue/run.ts';
import { withOwnerDatabase } from './keys/owner-database.ts';

await runCatalogue(withOwnerDatabase);
