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
      facts.courses.length === 1
        ? `New training for you: “${facts.courses[0]}”`
        : `New training for you: ${facts.courses.length} courses`,
    greeting: `Hello ${facts.name},`,
    paragraphs: [
      facts.courses.length === 1
        ? `${facts.company} has enrolled you in this security awareness course:`
        : `${facts.company} has enrolled you in these security awareness courses:`,
    ],
    ...training(facts),
  }),
  courseReminder: (facts) => ({
    subject:
      facts.courses.length === 1
        ? `Reminder: please finish “${facts.courses[0]}”`
        : `Reminder: please finish ${facts.courses.length} courses`,
    greeting: `Hello ${facts.name},`,
    paragraphs: [
      facts.courses.length === 1
        ? 'This is a reminder of a security awareness course that you have not finished yet:'
        : 'This is a reminder of the security awareness courses that you have not finished yet:',
    ],
    ...training(facts),
  }),
};

function training({ company, contact, courses, trainingUrl }: TrainingFacts) {
  return {
    items: courses,
    afterItems: trainingUrl ? [] : ['Your administrator will tell you where to find your training.'],
    ...(trainingUrl && { action: { label: 'Go to my training', url: trainingUrl } }),
    footer: `You get this message because ${company} has enrolled you in its security awareness programme. Questions? Ask ${contact}.`,
  };
}
