import { companyId, findCompany, fixedId, MANAGED_CATALOGUE } from './demo-ids.ts';
import type { DemoFile, FileLibrary } from './demo-files.ts';
import { DEMO_TEXTS, type TextName } from './demo-texts.ts';

interface DemoTemplate {
  /** The handle of the owning company; omitted for a template of the managed catalogue. */
  owner?: string;
  texts: TextName[];
  category: string;
  version: string;
  createdAt: string;
  /** The time of publication; omitted for a draft that was never published. */
  publishedAt?: string;
  isGlobal?: boolean;
  /** Handles of the companies that the template is shared with. */
  companies?: string[];
}

const DEMO_TEMPLATES: DemoTemplate[] = [
  ...managed('IT', ['acceptable-use.en', 'acceptable-use.de', 'acceptable-use.fr'], '1.2', '2024-02-06', '2025-12-09'),
  ...managed('IT', ['passwords.en', 'passwords.de', 'passwords.fr'], '2.0', '2024-02-06', '2026-01-20'),
  ...managed('HR', ['remote-work.en', 'remote-work.de', 'remote-work.fr'], '1.0', '2024-03-12', '2024-03-12'),
  ...managed(
    'Data protection',
    ['data-protection.en', 'data-protection.de', 'data-protection.fr'],
    '1.1',
    '2024-04-09',
    '2025-05-27',
  ),
  {
    texts: ['clean-desk.en', 'clean-desk.de', 'clean-desk.fr'],
    category: 'Physical security',
    version: '1.0',
    createdAt: '2024-06-11T09:00:00.000Z',
    publishedAt: '2024-06-11T09:00:00.000Z',
  },
  {
    owner: 'distributor',
    texts: ['incidents.en', 'incidents.de'],
    category: 'Security',
    version: '1.1',
    createdAt: '2024-09-03T08:20:00.000Z',
    publishedAt: '2026-02-17T10:05:00.000Z',
    isGlobal: true,
  },
  {
    owner: 'msp',
    texts: ['service-desk.en'],
    category: 'IT',
    version: '1.0',
    createdAt: '2024-10-15T13:40:00.000Z',
    publishedAt: '2024-10-15T13:40:00.000Z',
    isGlobal: true,
  },
  {
    owner: 'msp',
    texts: ['patient-data.en'],
    category: 'Data protection',
    version: '1.0',
    createdAt: '2025-02-11T10:25:00.000Z',
    publishedAt: '2025-02-20T09:10:00.000Z',
    companies: ['dental'],
  },
  {
    owner: 'msp',
    texts: ['ai-assistants.en'],
    category: 'IT',
    version: '1.0',
    createdAt: '2026-11-10T15:55:00.000Z',
  },
  {
    owner: 'tenant',
    texts: ['visitors.en'],
    category: 'Physical security',
    version: '1.0',
    createdAt: '2026-10-27T12:10:00.000Z',
    publishedAt: '2026-10-29T08:45:00.000Z',
  },
];

/** Creates a managed template for each document. */
function managed(
  category: string,
  texts: TextName[],
  version: string,
  created: string,
  published: string,
): DemoTemplate[] {
  const publishedAt = `${published}T09:30:00.000Z`;
  return texts.map((text) => ({
    texts: [text],
    category,
    version,
    createdAt: `${created}T09:30:00.000Z`,
    publishedAt,
  }));
}

export interface TemplateRows {
  templates: object[];
  drafts: object[];
}

/**
 * Builds the templates of a company or of the managed catalogue.
 * @param library receives their files
 */
export async function templateRows(owner: string | undefined, library: FileLibrary): Promise<TemplateRows> {
  const rows: TemplateRows = { templates: [], drafts: [] };
  for (const [index, template] of DEMO_TEMPLATES.entries()) {
    if (template.owner !== owner) continue;
    const { createdAt, publishedAt = null } = template;
    const company_id = owner === undefined ? MANAGED_CATALOGUE : companyId(findCompany(owner));
    const id = fixedId(Date.parse(createdAt), 'template', index);
    const updated_at = publishedAt ?? createdAt;
    const content = {
      company_id,
      name: getName(template),
      category: template.category,
      locales: template.texts.map((text) => DEMO_TEXTS[text].language),
      file_id: await library.add(toFile(template), updated_at),
      updated_at,
    };
    rows.templates.push({
      ...content,
      id,
      published_at: publishedAt,
      is_global: template.isGlobal ?? false,
      companies: (template.companies ?? []).map((handle) => companyId(findCompany(handle))),
      created_at: createdAt,
    });
    if (publishedAt === null) rows.drafts.push({ ...content, template_id: id });
  }
  return rows;
}

/** Returns the file of a policy that was made from a template. */
export function templateFile(name: string): DemoFile {
  const template = DEMO_TEMPLATES.find((candidate) => getName(candidate) === name);
  if (!template?.publishedAt) throw new Error(`The demo has no published template ${name}`);
  return toFile(template);
}

/** Returns the title of the template's first section. */
function getName({ texts }: DemoTemplate): string {
  return DEMO_TEXTS[texts[0]!].title;
}

function toFile({ owner, texts, version, createdAt, publishedAt = createdAt }: DemoTemplate): DemoFile {
  const issuer = owner === undefined ? 'Policy library' : findCompany(owner).name;
  return { fileName: `${texts[0]!.replace('.', '-')}.pdf`, texts, issuer, version, date: publishedAt };
}
