import { dropTemplates } from './databases.ts';

export default async function globalTeardown(): Promise<void> {
  await dropTemplates();
  await globalThis.embeddedPostgres?.stop();
}
