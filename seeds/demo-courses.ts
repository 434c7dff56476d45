export interface DemoCourse {
  /** The handle of the company that owns the course; omitted for a course of the managed catalogue. */
  owner?: string;
  /** Id of a company's own course in its learning platform. */
  externalId?: string;
  type?: 'gap_analysis';
  name: string;
  displayName: string;
  subject: string;
  difficulty: 1 | 2 | 3 | 4 | 5;
  description: string;
  durationMinutes: number;
  passMark: number;
  /** The number of questions in the test; a score is the share of correct answers. */
  questions: number;
  locales: string[];
  createdAt: string;
  updatedAt: string;
}

const EVERYWHERE = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt-BR'];
const WIDELY = ['en', 'de', 'fr', 'es', 'nl'];

export const DEMO_COURSES: DemoCourse[] = [
  {
    type: 'gap_analysis',
    name: 'gap-analysis',
    displayName: 'Where do you stand?',
    subject: 'All subjects',
    difficulty: 2,
    description:
      'Forty questions across all subjects, taken before any training. The answers show what to teach first; nobody needs to prepare.',
    durationMinutes: 20,
    passMark: 70,
    questions: 40,
    locales: EVERYWHERE,
    createdAt: '2024-01-15T09:00:00.000Z',
    updatedAt: '2026-01-12T10:30:00.000Z',
  },
  {
    name: 'phishing-basics',
    displayName: 'Phishing basics',
    subject: 'Phishing',
    difficulty: 1,
    description:
      'How to recognise a fraudulent message by its sender, its links and its urgency. Ends with what to do if you are not sure.',
    durationMinutes: 12,
    passMark: 80,
    questions: 20,
    locales: EVERYWHERE,
    createdAt: '2024-01-15T09:05:00.000Z',
    updatedAt: '2026-02-11T14:20:00.000Z',
  },
  {
    name: 'spear-phishing-and-business-email-compromise',
    displayName: 'Spear phishing and business email compromise',
    subject: 'Phishing',
    difficulty: 4,
    description:
      'Why attackers study a company before they write to it, and how an invoice or a message from the boss turns out to be fraud. Practises the callback before a payment.',
    durationMinutes: 20,
    passMark: 70,
    questions: 20,
    locales: WIDELY,
    createdAt: '2024-01-29T11:00:00.000Z',
    updatedAt: '2025-09-03T08:45:00.000Z',
  },
  {
    name: 'passwords-and-password-managers',
    displayName: 'Passwords and password managers',
    subject: 'Passwords',
    difficulty: 2,
    description:
      'What makes a password strong, why each account needs its own, and how a password manager takes the effort out of it.',
    durationMinutes: 15,
    passMark: 75,
    questions: 16,
    locales: EVERYWHERE,
    createdAt: '2024-02-05T09:00:00.000Z',
    updatedAt: '2025-11-17T13:10:00.000Z',
  },
  {
    name: 'multi-factor-authentication',
    displayName: 'Multi-factor authentication',
    subject: 'Authentication',
    difficulty: 2,
    description:
      'Codes, apps, security keys and passkeys compared, and how to set up each of them. Also shows how attackers wear people down until they approve a sign-in.',
    durationMinutes: 10,
    passMark: 70,
    questions: 10,
    locales: EVERYWHERE,
    createdAt: '2024-02-19T10:15:00.000Z',
    updatedAt: '2026-04-20T09:00:00.000Z',
  },
  {
    name: 'malware-and-ransomware',
    displayName: 'Malware and ransomware',
    subject: 'Malware',
    difficulty: 3,
    description:
      'How malicious software gets onto a computer, what ransomware does in its first hour, and which early signs are worth a call to IT.',
    durationMinutes: 18,
    passMark: 70,
    questions: 20,
    locales: EVERYWHERE,
    createdAt: '2024-03-04T09:30:00.000Z',
    updatedAt: '2025-06-16T15:00:00.000Z',
  },
  {
    name: 'social-engineering-by-phone',
    displayName: 'Social engineering by phone',
    subject: 'Social engineering',
    difficulty: 3,
    description:
      'The fake help desk, the impatient supplier and the bank that needs a code: recorded calls to listen to, and phrases that end them politely.',
    durationMinutes: 16,
    passMark: 70,
    questions: 16,
    locales: WIDELY,
    createdAt: '2024-04-08T08:00:00.000Z',
    updatedAt: '2025-10-06T11:25:00.000Z',
  },
  {
    name: 'safe-remote-work',
    displayName: 'Safe remote work',
    subject: 'Remote work',
    difficulty: 2,
    description:
      'Working from home, trains and cafés without giving anything away: networks, screens, calls, and devices that family members would like to borrow.',
    durationMinutes: 14,
    passMark: 75,
    questions: 16,
    locales: EVERYWHERE,
    createdAt: '2024-04-22T09:45:00.000Z',
    updatedAt: '2025-08-11T12:00:00.000Z',
  },
  {
    name: 'data-protection-and-gdpr',
    displayName: 'Data protection and the GDPR',
    subject: 'Data protection',
    difficulty: 4,
    description:
      'What counts as personal data, on what grounds it can be used, and what has to happen within 72 hours if some of it is lost.',
    durationMinutes: 25,
    passMark: 70,
    questions: 40,
    locales: WIDELY,
    createdAt: '2024-05-13T09:00:00.000Z',
    updatedAt: '2026-05-25T09:40:00.000Z',
  },
  {
    name: 'physical-security-and-clean-desk',
    displayName: 'Physical security and the clean desk',
    subject: 'Physical security',
    difficulty: 1,
    description: 'Doors, badges, visitors and paper. A short walk through an office in which eleven things are wrong.',
    durationMinutes: 9,
    passMark: 80,
    questions: 10,
    locales: EVERYWHERE,
    createdAt: '2024-06-10T10:00:00.000Z',
    updatedAt: '2024-06-10T10:00:00.000Z',
  },
  {
    name: 'mobile-devices',
    displayName: 'Mobile devices',
    subject: 'Mobile devices',
    difficulty: 2,
    description:
      'Phones and tablets at work: updates, app permissions, text messages with links, and what to do within the first minutes after a loss.',
    durationMinutes: 12,
    passMark: 75,
    questions: 16,
    locales: EVERYWHERE,
    createdAt: '2024-08-19T09:20:00.000Z',
    updatedAt: '2026-03-16T16:05:00.000Z',
  },
  {
    name: 'reporting-incidents',
    displayName: 'Reporting incidents',
    subject: 'Incident reporting',
    difficulty: 1,
    description:
      'Who to contact, how soon, and with which facts. Shows why a false alarm costs five minutes and an hour of silence costs weeks.',
    durationMinutes: 8,
    passMark: 80,
    questions: 10,
    locales: EVERYWHERE,
    createdAt: '2024-09-02T08:30:00.000Z',
    updatedAt: '2025-12-01T10:00:00.000Z',
  },
  {
    name: 'privileged-accounts',
    displayName: 'Privileged accounts',
    subject: 'Authentication',
    difficulty: 5,
    description:
      'For those who administer systems: separate accounts, sessions that expire, secrets in pipelines, and how intruders move from one machine to the next.',
    durationMinutes: 35,
    passMark: 65,
    questions: 40,
    locales: ['en', 'de', 'fr'],
    createdAt: '2025-02-24T13:00:00.000Z',
    updatedAt: '2026-06-08T08:15:00.000Z',
  },
  {
    name: 'ai-tools-and-deepfakes',
    displayName: 'AI tools and deepfakes',
    subject: 'Artificial intelligence',
    difficulty: 3,
    description:
      'What you can type into an assistant and what you never should, and how cloned voices and faces are used to ask for money. Includes three clips to judge.',
    durationMinutes: 17,
    passMark: 70,
    questions: 20,
    locales: WIDELY,
    createdAt: '2025-09-15T09:00:00.000Z',
    updatedAt: '2026-09-07T11:50:00.000Z',
  },
  {
    owner: 'tenant',
    externalId: 'lms-course-17',
    name: 'acme-visitors-and-contractors',
    displayName: 'Visitors and contractors on our sites',
    subject: 'Physical security',
    difficulty: 2,
    description:
      'How we sign in visitors in Sheffield, Göppingen and Saint-Étienne, which halls need an escort, and who to call about a stranger without a badge.',
    durationMinutes: 10,
    passMark: 75,
    questions: 8,
    locales: ['en', 'de', 'fr'],
    createdAt: '2025-04-14T12:30:00.000Z',
    updatedAt: '2026-01-26T09:10:00.000Z',
  },
  {
    owner: 'tenant',
    externalId: 'lms-course-12',
    name: 'acme-customer-drawings',
    displayName: 'Handling our customers’ drawings',
    subject: 'Data protection',
    difficulty: 3,
    description:
      'Where technical drawings can be kept and how to send them. Covers the markings that our automotive customers require.',
    durationMinutes: 15,
    passMark: 70,
    questions: 16,
    locales: ['en', 'de'],
    createdAt: '2026-03-02T10:45:00.000Z',
    updatedAt: '2026-03-30T07:55:00.000Z',
  },
  {
    owner: 'otherTenant',
    externalId: 'scorm-3',
    name: 'supplier-bank-details',
    displayName: "When a supplier's bank details change",
    subject: 'Phishing',
    difficulty: 3,
    description:
      'The steps that we take before we pay to a new account number, illustrated by the letter that nearly cost our dairy £48,000 in 2023.',
    durationMinutes: 10,
    passMark: 75,
    questions: 8,
    locales: ['en', 'fr'],
    createdAt: '2025-09-22T14:00:00.000Z',
    updatedAt: '2025-10-03T09:30:00.000Z',
  },
  {
    owner: 'dental',
    externalId: 'moodle-2',
    name: 'patient-records',
    displayName: 'Patient records at the front desk and beyond',
    subject: 'Data protection',
    difficulty: 3,
    description:
      'Who can see which part of a record, what can be said on the phone, and how X-rays are sent to another practice.',
    durationMinutes: 20,
    passMark: 75,
    questions: 16,
    locales: ['en'],
    createdAt: '2025-04-07T11:20:00.000Z',
    updatedAt: '2025-04-07T11:20:00.000Z',
  },
];
