import type { TrainingFacts, Wording } from './wording.ts';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

export const en: Wording = {
  adminInvite: ({ name, company, contact, setupUrl, expiresAt }) => ({
    subject: `Your invitation to administer security awareness at ${company}`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `You are invited to administer the security awareness programme of ${company}.`,
      `Please confirm your name to finish the setup. The link works once, until ${date.format(expiresAt)} (UTC).`,
    ],
    items: [],
    action: { label: 'Finish setup', url: setupUrl },
    footer: `You get this message because an administrator of ${company} has invited you. If you did not expect it, ignore it or ask ${contact}.`,
  }),
  courseEnrollment: (facts) => ({
    subject:
      facts.subjects.length === 1
        ? `New training for you: “${facts.subjects[0]}”`
        : `New training for you: ${facts.subjects.length} courses`,
    greeting: `Hello ${facts.name},`,
    paragraphs: [
      facts.subjects.length === 1
        ? `${facts.company} has enrolled you in this security awareness course:`
        : `${facts.company} has enrolled you in these security awareness courses:`,
    ],
    ...training(facts, 'Go to my training'),
  }),
  courseReminder: (facts) => ({
    subject:
      facts.subjects.length === 1
        ? `Reminder: please finish “${facts.subjects[0]}”`
        : `Reminder: please finish ${facts.subjects.length} courses`,
    greeting: `Hello ${facts.name},`,
    paragraphs: [
      facts.subjects.length === 1
        ? 'This is a reminder of a security awareness course that you have not finished yet:'
        : 'This is a reminder of the security awareness courses that you have not finished yet:',
    ],
    ...training(facts, 'Go to my training'),
  }),
  policyRequest: (facts) => ({
    subject:
      facts.subjects.length === 1
        ? `Please read and sign “${facts.subjects[0]}”`
        : `Please read and sign ${facts.subjects.length} policies`,
    greeting: `Hello ${facts.name},`,
    paragraphs: [
      facts.subjects.length === 1
        ? `${facts.company} asks you to read and sign this policy:`
        : `${facts.company} asks you to read and sign these policies:`,
    ],
    ...training(facts, 'Read and sign'),
  }),
  policyReminder: (facts) => ({
    subject:
      facts.subjects.length === 1
        ? `Reminder: please sign “${facts.subjects[0]}”`
        : `Reminder: please sign ${facts.subjects.length} policies`,
    greeting: `Hello ${facts.name},`,
    paragraphs: [
      facts.subjects.length === 1
        ? 'This is a reminder of a policy that you have not signed yet:'
        : 'This is a reminder of the policies that you have not signed yet:',
    ],
    ...training(facts, 'Read and sign'),
  }),
};

function training({ company, contact, subjects, trainingUrl }: TrainingFacts, label: string) {
  return {
    items: subjects,
    afterItems: trainingUrl ? [] : ['Your administrator will tell you where to find it.'],
    ...(trainingUrl && { action: { label, url: trainingUrl } }),
    footer: `You get this message because ${company} has enrolled you in its security awareness programme. Questions? Ask ${contact}.`,
  };
}
