import type { TrainingFacts, Wording } from './wording.ts';

const date = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

export const de: Wording = {
  adminInvite: ({ name, company, contact, setupUrl, expiresAt }) => ({
    subject: `Ihre Einladung zur Verwaltung der Security Awareness bei ${company}`,
    greeting: `Guten Tag ${name},`,
    paragraphs: [
      `Sie sind eingeladen, das Security-Awareness-Programm von ${company} zu verwalten.`,
      `Bitte bestätigen Sie Ihren Namen, um die Einrichtung abzuschließen. Der Link funktioniert einmal, bis zum ${date.format(expiresAt)} Uhr (UTC).`,
    ],
    items: [],
    action: { label: 'Einrichtung abschließen', url: setupUrl },
    footer: `Sie erhalten diese Nachricht, weil ein Administrator von ${company} Sie eingeladen hat. Wenn Sie nicht damit gerechnet haben, ignorieren Sie sie oder fragen Sie bei ${contact} nach.`,
  }),
  courseEnrollment: (facts) => ({
    subject:
      facts.courses.length === 1
        ? `Neues Training für Sie: „${facts.courses[0]}“`
        : `Neues Training für Sie: ${facts.courses.length} Kurse`,
    greeting: `Guten Tag ${facts.name},`,
    paragraphs: [
      facts.courses.length === 1
        ? `${facts.company} hat Sie für diesen Security-Awareness-Kurs angemeldet:`
        : `${facts.company} hat Sie für diese Security-Awareness-Kurse angemeldet:`,
    ],
    ...training(facts),
  }),
  courseReminder: (facts) => ({
    subject:
      facts.courses.length === 1
        ? `Erinnerung: Bitte schließen Sie „${facts.courses[0]}“ ab`
        : `Erinnerung: Bitte schließen Sie ${facts.courses.length} Kurse ab`,
    greeting: `Guten Tag ${facts.name},`,
    paragraphs: [
      facts.courses.length === 1
        ? 'Dies ist eine Erinnerung an einen Security-Awareness-Kurs, den Sie noch nicht abgeschlossen haben:'
        : 'Dies ist eine Erinnerung an die Security-Awareness-Kurse, die Sie noch nicht abgeschlossen haben:',
    ],
    ...training(facts),
  }),
};

function training({ company, contact, courses, trainingUrl }: TrainingFacts) {
  return {
    items: courses,
    afterItems: trainingUrl ? [] : ['Wo Sie Ihr Training finden, erfahren Sie von Ihrer Administration.'],
    ...(trainingUrl && { action: { label: 'Zu meinem Training', url: trainingUrl } }),
    footer: `Sie erhalten diese Nachricht, weil ${company} Sie für das Security-Awareness-Programm angemeldet hat. Fragen? Wenden Sie sich an ${contact}.`,
  };
}
