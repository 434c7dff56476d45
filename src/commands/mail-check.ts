import { runMailCheck } from './mail-check/run.ts';

await runMailCheck();
