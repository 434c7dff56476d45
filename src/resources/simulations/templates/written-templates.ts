import { createAjv } from '../../../contract/ajv.ts';
import type { Fault } from '../../courses/authored/course.ts';
import { DATE, ID, readYaml, TEXT } from '../../courses/authored/manifest.ts';
import { readFiles, listFolders } from '../../courses/authored/read-content.ts';
import { type Language, LANGUAGES } from '../../../contract/languages.ts';
import {
  type PhishingEmailTexts,
  type DeliveryMethod,
  judgeTexts,
  type TemplateContent,
} from './simulation-template-content.ts';

/** Content of `template.yaml`. */
interface Manifest {
  id: string;
  names: Partial<Record<Language, string>> & { en: string };
  deliveryMethod: DeliveryMethod;
  difficulty: number;
  languages: Language[];
  /** Day of the last review. */
  reviewed: string;
}

/** A template read from files, in all its languages. */
export interface WrittenTemplate extends Manifest {
  /** Name of the template's folder. */
  slug: string;
  content: TemplateContent;
}

const closed = (required: string[], properties: object) => {
  return { type: 'object', additionalProperties: false, required, properties };
};

const manifestSchema = closed(['id', 'names', 'deliveryMethod', 'difficulty', 'languages', 'reviewed'], {
  id: ID,
  names: closed(['en'], Object.fromEntries(LANGUAGES.map((language) => [language, TEXT]))),
  deliveryMethod: { enum: ['email', 'qr_code', 'attachment'] },
  difficulty: { type: 'integer', minimum: 1, maximum: 5 },
  languages: { type: 'array', uniqueItems: true, contains: { const: 'en' }, items: { enum: LANGUAGES } },
  reviewed: DATE,
});

const WORDS = ['senderName', 'senderMailbox', 'subject', 'text', 'html', 'lesson'];
const textsSchema = closed([...WORDS, 'cues'], {
  ...Object.fromEntries(WORDS.map((field) => [field, TEXT])),
  cues: { type: 'array', minItems: 1, maxItems: 10, items: TEXT },
  attachment: closed(['name', 'title', 'text'], { name: TEXT, title: TEXT, text: TEXT }),
});

const ajv = createAjv({ allErrors: true });
const isManifest = ajv.compile<Manifest>(manifestSchema);
const areTexts = ajv.compile<PhishingEmailTexts>(textsSchema);

/** Reads the templates in the subfolder `simulations`. A missing folder yields no templates. */
export async function readTemplates(folder: string): Promise<{ templates: WrittenTemplate[]; faults: Fault[] }> {
  const faults: Fault[] = [];
  const templates: WrittenTemplate[] = [];
  for (const path of await listFolders(folder, 'simulations')) {
    const before = faults.length;
    const template = readTemplate(path, await readFiles(folder, path, faults), faults);
    const twin = templates.find(({ id }) => id === template?.id);
    if (twin) faults.push({ file: `${path}/template.yaml`, place: 'id', message: `${twin.slug} has the same id` });
    if (template && faults.length === before) templates.push(template);
  }
  return { templates, faults };
}

/** Reads a template from its files, by file name. Returns undefined if the manifest has a fault. */
export function readTemplate(
  path: string,
  files: ReadonlyMap<string, Buffer>,
  faults: Fault[],
): WrittenTemplate | undefined {
  const read = <T>(name: string, validate: Parameters<typeof readYaml<T>>[2]): T | undefined => {
    const bytes = files.get(name);
    if (bytes) return readYaml(`${path}/${name}`, bytes.toString('utf8'), validate, faults);
    faults.push({ file: `${path}/${name}`, place: '', message: 'is missing' });
    return undefined;
  };
  const manifest = read('template.yaml', isManifest);
  if (!manifest) return undefined;
  const content: TemplateContent = {};
  for (const language of manifest.languages) {
    const name = `${language}.yaml`;
    if (manifest.names[language] === undefined)
      faults.push({ file: `${path}/template.yaml`, place: `names/${language}`, message: 'is required' });
    const texts = read(name, areTexts);
    if (!texts) continue;
    const textFaults = judgeTexts(manifest.deliveryMethod, texts);
    faults.push(...textFaults.map(({ field, message }) => ({ file: `${path}/${name}`, place: field, message })));
    content[language] = texts;
  }
  const expectedFiles = ['template.yaml', ...manifest.languages.map((language) => `${language}.yaml`)];
  for (const name of files.keys()) {
    if (!expectedFiles.includes(name))
      faults.push({ file: `${path}/${name}`, place: '', message: 'is not a file of a template' });
  }
  return { ...manifest, slug: path.split('/').at(-1)!, content };
}
