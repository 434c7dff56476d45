import type { AccountType } from '../src/auth/caller.ts';
import type { Language } from './demo-people.ts';

export interface DemoCompany {
  /** The name of the company in seeds/demo-keys.json, and in the field `parent` of its children. */
  handle: string;
  name: string;
  accountType: AccountType;
  parent?: string;
  createdAt: string;
  plan: string;
  learnerLimit: number | null;
  domain: string;
  domainLock: boolean;
  features?: Record<string, boolean | string[]>;
  learners: number;
  /** Languages to draw from; a repeated language is drawn more often. */
  languages: Language[];
  groups: DemoGroups;
}

export interface DemoGroups {
  /** Groups for departments. Most learners are in one of these groups; a few are in none. */
  departments: string[];
  /** The site where the speakers of each language work. */
  sites?: Record<Language, string>;
  /** Other groups, with each learner's chance to be a member; 0 for an empty group. */
  others?: Record<string, number>;
}

/** The companies of the demo, parents before their children. */
export const DEMO_COMPANIES: DemoCompany[] = [
  {
    handle: 'distributor',
    name: 'Nordlicht Distribution',
    accountType: 'distributor',
    createdAt: '2024-01-08T09:00:00.000Z',
    plan: 'partner',
    learnerLimit: null,
    domain: 'nordlicht-distribution.test',
    domainLock: true,
    learners: 5,
    languages: ['de', 'en'],
    groups: { departments: ['Channel Sales'] },
  },
  {
    handle: 'msp',
    name: 'Meridian Managed Services',
    accountType: 'msp',
    parent: 'distributor',
    createdAt: '2024-01-22T10:30:00.000Z',
    plan: 'partner',
    learnerLimit: null,
    domain: 'meridian-msp.test',
    domainLock: true,
    learners: 7,
    languages: ['en'],
    groups: { departments: ['Service Desk', 'Account Management'] },
  },
  {
    handle: 'tenant',
    name: 'Acme Industries',
    accountType: 'tenant',
    createdAt: '2024-02-05T08:15:00.000Z',
    plan: 'business',
    learnerLimit: 400,
    domain: 'acme-industries.test',
    domainLock: true,
    features: { smbreachproenabled: true, smbreachprodomains: ['acme-industries.test'] },
    learners: 300,
    languages: ['en', 'en', 'de', 'de', 'fr'],
    groups: {
      departments: [
        'Finance',
        'Human Resources',
        'IT and Security',
        'Legal',
        'Marketing',
        'Operations',
        'Procurement',
        'Research and Development',
        'Sales',
        'Customer Care',
      ],
      sites: { en: 'Sheffield Office', de: 'Werk Göppingen', fr: 'Usine de Saint-Étienne' },
      others: { 'Executive Board': 0.03, 'Phishing Champions': 0.06, 'Remote Workers': 0.2, 'Contractors 2026': 0 },
    },
  },
  {
    handle: 'otherTenant',
    name: "O'Leary & Sons Foods",
    accountType: 'tenant',
    createdAt: '2024-03-18T13:45:00.000Z',
    plan: 'freeTrial',
    learnerLimit: 75,
    domain: 'oleary-foods.test',
    domainLock: false,
    features: { smpolicy: false },
    learners: 60,
    languages: ['en', 'en', 'fr'],
    groups: { departments: ['Bakery', 'Dairy', 'Logistics', 'Head Office'], others: { 'New Starters': 0.15 } },
  },
  {
    handle: 'dental',
    name: 'Harbour Dental Group',
    accountType: 'tenant',
    parent: 'msp',
    createdAt: '2024-04-02T11:00:00.000Z',
    plan: 'business',
    learnerLimit: 60,
    domain: 'harbour-dental.test',
    domainLock: true,
    learners: 42,
    languages: ['en'],
    groups: { departments: ['Dentists', 'Hygienists', 'Reception'], others: { 'Data Protection': 0.1 } },
  },
  {
    handle: 'logistics',
    name: 'Fjordline Logistik',
    accountType: 'tenant',
    parent: 'msp',
    createdAt: '2024-05-14T07:30:00.000Z',
    plan: 'freeTrial',
    learnerLimit: 50,
    domain: 'fjordline.test',
    domainLock: false,
    features: { smphish: false },
    learners: 38,
    languages: ['de'],
    groups: { departments: ['Disposition', 'Fahrer', 'Lager', 'Verwaltung'] },
  },
  {
    handle: 'atelier',
    name: 'Atelier Beaumont',
    accountType: 'tenant',
    parent: 'distributor',
    createdAt: '2024-06-03T14:20:00.000Z',
    plan: 'business',
    learnerLimit: null,
    domain: 'atelier-beaumont.test',
    domainLock: true,
    learners: 40,
    languages: ['fr'],
    groups: { departments: ['Création', 'Atelier', 'Boutiques'], others: { 'Équipe de direction': 0.1 } },
  },
  {
    handle: 'prospect',
    name: 'Bluebell Clinic',
    accountType: 'prospect',
    createdAt: '2024-06-24T16:05:00.000Z',
    plan: 'freeTrial',
    learnerLimit: 25,
    domain: 'bluebell-clinic.test',
    domainLock: false,
    learners: 12,
    languages: ['en'],
    groups: { departments: ['Clinicians', 'Front Desk'] },
  },
];
