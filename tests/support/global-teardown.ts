import { dropTemplate } from './databases.ts';

export default async function globalTeardown(): Promise<void> {
  await dropTemplate();
  await globalThis.embeddedPostgres?.stop();
}
