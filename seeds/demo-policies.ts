import type { TextName } from './demo-texts.ts';

export interface DemoPolicy {
  name: string;
  category?: string;
  /** Name of one of the company's admins. */
  owner?: string;
  isPublic?: boolean;
  createdAt: string;
  /** Versions from the first to the live one. */
  versions?: DemoVersion[];
  draft?: { name?: string; text: TextName; version: string; savedAt: string };
  /** Time at which the only draft was discarded. */
  discardedAt?: string;
  signature?: DemoSignature;
  assigned?: Assignment[];
  /** Times at which learners who had not signed were reminded. */
  reminded?: string[];
  /** Time at which the assignments ended, for everybody or for the members of groups. */
  ended?: { at: string; groups?: string[] };
  /** Share of signatures on paper. */
  paper?: number;
}

/** A version with text on the company's letterhead, or with the file of a template. */
export type DemoVersion = {
  number: string;
  publishedAt: string;
  news?: string;
  /** True if everybody was asked to sign again. */
  resend?: boolean;
  /** True if the file was uploaded without a name. */
  unnamed?: boolean;
} & ({ text: TextName; template?: undefined } | { template: string; text?: undefined });

export interface DemoSignature {
  type: 'fixed' | 'lastSignature' | 'newUsers' | 'none';
  startDate?: string;
  intervalLength?: number;
  intervalUnit?: 'months' | 'years';
  useDefault?: boolean;
  setDefault?: boolean;
}

export interface Assignment {
  at: string;
  /** Groups whose members get the policy; omitted for everybody. Learners who join later soon get it as well. */
  groups?: string[];
}

const YEARLY = { intervalLength: 12, intervalUnit: 'months' } as const;

/** The policies of each company, oldest first. */
export const DEMO_POLICIES: Record<string, DemoPolicy[]> = {
  distributor: [
    {
      name: 'Sicherheitsvorfälle melden',
      category: 'Sicherheit',
      owner: 'Annika Petersen',
      createdAt: '2025-04-01T07:50:00.000Z',
      versions: [{ number: '1.0', publishedAt: '2025-04-01T07:50:00.000Z', text: 'incidents.de' }],
      assigned: [{ at: '2025-04-02T08:00:00.000Z' }],
    },
  ],
  msp: [
    {
      name: 'Acceptable use',
      category: 'IT',
      owner: 'Fiona Strachan',
      createdAt: '2025-01-14T10:00:00.000Z',
      versions: [{ number: '1.0', publishedAt: '2025-01-16T09:15:00.000Z', text: 'acceptable-use.en' }],
      signature: { type: 'lastSignature', ...YEARLY, setDefault: true },
      assigned: [{ at: '2025-01-16T09:20:00.000Z' }],
    },
    {
      name: 'Remote work',
      category: 'HR',
      owner: 'Dilip Menon',
      createdAt: '2026-09-15T13:05:00.000Z',
      versions: [{ number: '1.0', publishedAt: '2026-09-15T13:05:00.000Z', template: 'Remote work' }],
      signature: { type: 'lastSignature', ...YEARLY, useDefault: true },
      assigned: [{ at: '2026-09-15T13:10:00.000Z', groups: ['Service Desk'] }],
    },
  ],
  tenant: [
    {
      name: 'Acceptable use',
      category: 'IT',
      owner: 'Matthias Brückner',
      createdAt: '2024-09-10T08:20:00.000Z',
      versions: [
        { number: '1.0', publishedAt: '2024-09-16T08:00:00.000Z', text: 'acceptable-use.en' },
        {
          number: '1.1',
          publishedAt: '2025-02-18T13:30:00.000Z',
          text: 'acceptable-use.en',
          news: 'New in this version: sign-ins are recorded for 90 days, no longer for 180.',
        },
        {
          number: '2.0',
          publishedAt: '2025-09-15T07:45:00.000Z',
          text: 'acceptable-use.en',
          news: 'New in this version: the section on private use, agreed with the works council in Göppingen.',
          resend: true,
        },
        {
          number: '2.1',
          publishedAt: '2026-11-02T08:10:00.000Z',
          text: 'acceptable-use.en',
          news: 'New in this version: IT answers requests for software within two working days.',
          resend: true,
        },
      ],
      signature: { type: 'lastSignature', ...YEARLY, setDefault: true },
      assigned: [{ at: '2024-09-16T08:05:00.000Z' }],
      reminded: ['2024-10-14T07:30:00.000Z', '2025-10-13T07:30:00.000Z', '2026-11-16T08:30:00.000Z'],
      paper: 0.05,
    },
    {
      name: 'Password policy',
      category: 'IT',
      owner: 'Matthias Brückner',
      createdAt: '2025-01-20T10:40:00.000Z',
      versions: [{ number: '1.0', publishedAt: '2025-01-27T09:00:00.000Z', text: 'passwords.en' }],
      signature: { type: 'lastSignature', ...YEARLY, useDefault: true },
      assigned: [{ at: '2025-01-27T09:05:00.000Z' }],
      reminded: ['2025-02-24T08:00:00.000Z', '2026-02-23T08:00:00.000Z'],
    },
    {
      name: 'Data protection',
      category: 'Legal',
      owner: 'Katherine Sewell',
      createdAt: '2025-02-24T14:15:00.000Z',
      versions: [
        { number: '1.0', publishedAt: '2025-03-03T09:00:00.000Z', text: 'data-protection.en' },
        {
          number: '1.1',
          publishedAt: '2026-03-10T11:20:00.000Z',
          text: 'data-protection.en',
          news: 'New in this version: the address of the data protection officer, which is on the intranet.',
        },
      ],
      signature: { type: 'fixed', startDate: '2025-05-05', intervalLength: 1, intervalUnit: 'years' },
      assigned: [{ at: '2025-03-03T09:10:00.000Z', groups: ['Sheffield Office'] }],
      reminded: ['2026-06-08T08:00:00.000Z'],
    },
    {
      name: 'Datenschutz',
      category: 'Legal',
      owner: 'Katherine Sewell',
      createdAt: '2025-02-24T14:30:00.000Z',
      versions: [{ number: '1.0', publishedAt: '2025-03-03T09:02:00.000Z', text: 'data-protection.de' }],
      signature: { type: 'fixed', startDate: '2025-05-05', intervalLength: 1, intervalUnit: 'years' },
      assigned: [{ at: '2025-03-03T09:10:00.000Z', groups: ['Werk Göppingen'] }],
      reminded: ['2026-06-08T08:00:00.000Z'],
      paper: 0.1,
    },
    {
      name: 'Protection des données',
      category: 'Legal',
      owner: 'Katherine Sewell',
      createdAt: '2025-02-24T14:45:00.000Z',
      versions: [{ number: '1.0', publishedAt: '2025-03-03T09:04:00.000Z', text: 'data-protection.fr', unnamed: true }],
      signature: { type: 'fixed', startDate: '2025-05-05', intervalLength: 1, intervalUnit: 'years' },
      assigned: [{ at: '2025-03-03T09:10:00.000Z', groups: ['Usine de Saint-Étienne'] }],
    },
    {
      name: 'Private phones at work',
      category: 'IT',
      createdAt: '2025-04-08T09:30:00.000Z',
      versions: [{ number: '1.0', publishedAt: '2025-04-08T09:30:00.000Z', text: 'private-phones.en' }],
      signature: { type: 'none' },
      assigned: [{ at: '2025-04-09T07:55:00.000Z', groups: ['Sales', 'Customer Care', 'Executive Board'] }],
      ended: { at: '2026-01-15T10:00:00.000Z', groups: ['Customer Care'] },
    },
    {
      name: 'Social media',
      category: 'Marketing',
      createdAt: '2025-06-17T13:00:00.000Z',
      discardedAt: '2025-07-02T15:25:00.000Z',
    },
    {
      name: 'Remote work',
      category: 'HR',
      owner: 'Katherine Sewell',
      createdAt: '2025-09-22T08:35:00.000Z',
      versions: [
        { number: '1.0', publishedAt: '2025-09-29T08:00:00.000Z', template: 'Remote work' },
        {
          number: '1.1',
          publishedAt: '2026-04-14T12:50:00.000Z',
          text: 'remote-work.en',
          news: 'New in this version: the company lends routers to those who have none of their own.',
        },
      ],
      draft: {
        name: 'Remote and mobile work',
        text: 'remote-work.en',
        version: '1.2',
        savedAt: '2026-11-12T16:05:00.000Z',
      },
      signature: { type: 'newUsers', startDate: '2026-01-05', intervalLength: 3, intervalUnit: 'months' },
      assigned: [{ at: '2025-09-29T08:10:00.000Z', groups: ['Remote Workers', 'Sales', 'Customer Care'] }],
      reminded: ['2025-10-27T08:00:00.000Z'],
    },
    {
      name: 'Clean desk',
      category: 'Physical security',
      isPublic: true,
      createdAt: '2026-05-20T09:10:00.000Z',
      versions: [{ number: '1.0', publishedAt: '2026-05-20T09:10:00.000Z', template: 'Clean desk' }],
      signature: { type: 'none' },
    },
    {
      name: 'Visitors and contractors on site',
      category: 'Physical security',
      owner: 'Matthias Brückner',
      createdAt: '2026-11-02T13:20:00.000Z',
      versions: [
        { number: '1.0', publishedAt: '2026-11-09T09:00:00.000Z', template: 'Visitors and contractors on site' },
      ],
      assigned: [{ at: '2026-11-09T09:05:00.000Z', groups: ['Operations', 'Human Resources'] }],
      paper: 0.15,
    },
    {
      name: 'Use of AI assistants',
      category: 'IT',
      owner: 'Matthias Brückner',
      createdAt: '2026-11-03T10:25:00.000Z',
      draft: { text: 'ai-assistants.en', version: '1.0', savedAt: '2026-11-16T14:40:00.000Z' },
      signature: { type: 'newUsers' },
    },
  ],
  otherTenant: [],
  dental: [
    {
      name: 'Patient data in the practice',
      category: 'Data protection',
      owner: 'Gillian Marsh',
      createdAt: '2025-03-04T12:00:00.000Z',
      versions: [{ number: '1.0', publishedAt: '2025-03-10T08:30:00.000Z', template: 'Patient data in the practice' }],
      signature: { type: 'fixed', startDate: '2025-10-01', intervalLength: 1, intervalUnit: 'years' },
      assigned: [{ at: '2025-03-10T08:40:00.000Z' }],
      reminded: ['2025-10-20T08:00:00.000Z', '2026-10-19T08:00:00.000Z'],
    },
    {
      name: 'Working with our service desk',
      category: 'IT',
      createdAt: '2026-06-16T10:50:00.000Z',
      versions: [{ number: '1.0', publishedAt: '2026-06-16T10:50:00.000Z', template: 'Working with our service desk' }],
      assigned: [{ at: '2026-06-16T11:00:00.000Z', groups: ['Reception'] }],
    },
  ],
  logistics: [
    {
      name: 'Passwortrichtlinie',
      category: 'IT',
      owner: 'Ingrid Sørlie',
      createdAt: '2026-02-03T07:40:00.000Z',
      versions: [{ number: '1.0', publishedAt: '2026-02-03T07:40:00.000Z', template: 'Passwortrichtlinie' }],
      signature: { type: 'newUsers' },
      assigned: [{ at: '2026-02-04T07:00:00.000Z' }],
      paper: 0.4,
    },
  ],
  atelier: [
    {
      name: 'Charte informatique',
      category: 'Informatique',
      owner: 'Clémence Beaumont',
      createdAt: '2025-09-02T09:25:00.000Z',
      versions: [
        { number: '1.0', publishedAt: '2025-09-08T08:00:00.000Z', text: 'acceptable-use.fr' },
        { number: '2.0', publishedAt: '2026-01-19T09:30:00.000Z', template: 'Charte informatique', resend: true },
      ],
      signature: { type: 'lastSignature', ...YEARLY },
      assigned: [{ at: '2025-09-08T08:10:00.000Z' }],
      reminded: ['2026-02-09T08:00:00.000Z'],
    },
    {
      name: 'Télétravail',
      category: 'RH',
      owner: 'Luc Tessier',
      createdAt: '2026-09-21T13:15:00.000Z',
      versions: [{ number: '1.0', publishedAt: '2026-09-21T13:15:00.000Z', template: 'Télétravail' }],
      assigned: [{ at: '2026-09-22T07:30:00.000Z', groups: ['Création'] }],
    },
  ],
  prospect: [
    {
      name: 'Data protection',
      category: 'Legal',
      owner: 'Hugh Penrose',
      createdAt: '2026-10-29T11:35:00.000Z',
      versions: [{ number: '1.0', publishedAt: '2026-10-29T11:35:00.000Z', template: 'Data protection' }],
      assigned: [{ at: '2026-10-30T09:00:00.000Z' }],
    },
  ],
};
