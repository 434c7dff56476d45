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
      facts.subjects.length === 1
        ? `Neues Training für Sie: „${facts.subjects[0]}“`
        : `Neues Training für Sie: ${facts.subjects.length} Kurse`,
    greeting: `Guten Tag ${facts.name},`,
    paragraphs: [
      facts.subjects.length === 1
        ? `${facts.company} hat Sie für diesen Security-Awareness-Kurs angemeldet:`
        : `${facts.company} hat Sie für diese Security-Awareness-Kurse angemeldet:`,
    ],
    ...training(facts, 'Zu meinem Training'),
  }),
  courseReminder: (facts) => ({
    subject:
      facts.subjects.length === 1
        ? `Erinnerung: Bitte schließen Sie „${facts.subjects[0]}“ ab`
        : `Erinnerung: Bitte schließen Sie ${facts.subjects.length} Kurse ab`,
    greeting: `Guten Tag ${facts.name},`,
    paragraphs: [
      facts.subjects.length === 1
        ? 'Dies ist eine Erinnerung an einen Security-Awareness-Kurs, den Sie noch nicht abgeschlossen haben:'
        : 'Dies ist eine Erinnerung an die Security-Awareness-Kurse, die Sie noch nicht abgeschlossen haben:',
    ],
    ...training(facts, 'Zu meinem Training'),
  }),
  policyRequest: (facts) => ({
    subject:
      facts.subjects.length === 1
        ? `Bitte lesen und unterschreiben Sie „${facts.subjects[0]}“`
        : `Bitte lesen und unterschreiben Sie ${facts.subjects.length} Richtlinien`,
    greeting: `Guten Tag ${facts.name},`,
    paragraphs: [
      facts.subjects.length === 1
        ? `${facts.company} bittet Sie, diese Richtlinie zu lesen und zu unterschreiben:`
        : `${facts.company} bittet Sie, diese Richtlinien zu lesen und zu unterschreiben:`,
    ],
    ...training(facts, 'Lesen und unterschreiben'),
  }),
  policyReminder: (facts) => ({
    subject:
      facts.subjects.length === 1
        ? `Erinnerung: Bitte unterschreiben Sie „${facts.subjects[0]}“`
        : `Erinnerung: Bitte unterschreiben Sie ${facts.subjects.length} Richtlinien`,
    greeting: `Guten Tag ${facts.name},`,
    paragraphs: [
      facts.subjects.length === 1
        ? 'Dies ist eine Erinnerung an eine Richtlinie, die Sie noch nicht unterschrieben haben:'
        : 'Dies ist eine Erinnerung an die Richtlinien, die Sie noch nicht unterschrieben haben:',
    ],
    ...training(facts, 'Lesen und unterschreiben'),
  }),
};

function training({ company, contact, subjects, trainingUrl }: TrainingFacts, label: string) {
  return {
    items: subjects,
    afterItems: trainingUrl ? [] : ['Wo Sie das finden, erfahren Sie von Ihrer Administration.'],
    ...(trainingUrl && { action: { label, url: trainingUrl } }),
    footer: `Sie erhalten diese Nachricht, weil ${company} Sie für das Security-Awareness-Programm angemeldet hat. Fragen? Wenden Sie sich an ${contact}.`,
  };
}
