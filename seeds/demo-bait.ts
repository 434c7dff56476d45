import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { MANAGED_CATALOGUE } from './demo-ids.ts';

const CREATED_AT = '2025-02-10T09:00:00.000Z';
const FOLDER = join(import.meta.dirname, '../content/simulations/parcel-on-hold');

interface Manifest {
  id: string;
  names: { en: string };
  deliveryMethod: string;
  difficulty: number;
  languages: string[];
}

/** The template of a simulation that the demo can send. */
export async function baitRow(): Promise<object> {
  const { id, names, deliveryMethod, difficulty, languages } = (await read('template')) as Manifest;
  const content = await Promise.all(languages.map(async (language) => [language, await read(language)] as const));
  return {
    owner_id: MANAGED_CATALOGUE,
    id,
    name: names.en,
    delivery_method: deliveryMethod,
    difficulty,
    locales: languages,
    content: JSON.stringify(Object.fromEntries(content)),
    created_at: CREATED_AT,
    updated_at: CREATED_AT,
  };
}

async function read(name: string): Promise<unknown> {
  return load(await readFile(join(FOLDER, `${name}.yaml`), 'utf8'));
}
