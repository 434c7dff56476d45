import { leaveMemory } from './data-folder.ts';
import { dropTemplates } from './databases.ts';

export default async function globalTeardown(): Promise<void> {
  await globalThis.pooler?.stop();
  await globalThis.standby?.stop();
  await dropTemplates();
  await globalThis.testServer?.stop();
  leaveMemory(process.env.TEST_DATA_FOLDER!);
}
