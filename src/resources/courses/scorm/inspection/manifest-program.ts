// Program that reads a long manifest; see inspect-package.ts.
import { readInput, writeLines } from '../../../../limits/process-output.ts';
import { readManifestOrFault } from './manifest.ts';

const { text, paths } = JSON.parse((await readInput()).toString()) as { text: string; paths: string[] };
await writeLines([readManifestOrFault(text, paths)]);
