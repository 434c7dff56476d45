import type { Language } from '../../contract/languages.ts';

/** Texts that people see when they report a message. */
export interface ReportButtonMessages {
  title: string;
  about: string;
  report: string;
  sending: string;
  simulationTitle: string;
  simulation: string;
  /** Heading above the lesson of the simulation. */
  lesson: string;
  passedOnTitle: string;
  passedOn: string;
  failedTitle: string;
  /** @param address the e-mail address for reports; undefined if it is not known */
  failed(address: string | undefined): string;
  tooLarge(address: string | undefined): string;
  unknownTitle: string;
  unknown: string;
}

export const reportButtonMessages: Record<Language, ReportButtonMessages> = {
  en: {
    title: 'Report this message',
    about: 'Does this message look suspicious? Report it: the whole message goes to your security team.',
    report: 'Report this message',
    sending: 'Reporting the message…',
    simulationTitle: 'This was a simulation. Well spotted!',
    simulation: 'Your report has been recorded. There is nothing else to do.',
    lesson: 'What to remember',
    passedOnTitle: 'Thank you for reporting this message',
    passedOn: 'It has been passed on to your security team. Please do not open its links or attachments.',
    failedTitle: 'The message was not reported',
    failed: (address) =>
      `Please forward it as an attachment to ${address ?? 'your security team'}, or try again later.`,
    tooLarge: (address) =>
      `The message is too large for this button. Please tell ${address ?? 'your security team'} about it.`,
    unknownTitle: 'This button no longer works',
    unknown: 'Please ask your IT team for the current one, and forward the message to your security team.',
  },
  de: {
    title: 'Diese E-Mail melden',
    about: 'Kommt Ihnen diese E-Mail verdächtig vor? Melden Sie sie: Die ganze E-Mail geht an Ihr Sicherheitsteam.',
    report: 'Diese E-Mail melden',
    sending: 'Die E-Mail wird gemeldet …',
    simulationTitle: 'Das war eine Simulation. Gut erkannt!',
    simulation: 'Ihre Meldung wurde erfasst. Sie müssen nichts weiter tun.',
    lesson: 'Zum Merken',
    passedOnTitle: 'Danke für Ihre Meldung',
    passedOn: 'Ihr Sicherheitsteam hat die E-Mail erhalten. Bitte öffnen Sie keine Links oder Anhänge darin.',
    failedTitle: 'Die E-Mail wurde nicht gemeldet',
    failed: (address) =>
      `Bitte leiten Sie sie als Anhang an ${address ?? 'Ihr Sicherheitsteam'} weiter, oder versuchen Sie es später noch einmal.`,
    tooLarge: (address) =>
      `Die E-Mail ist zu groß für diese Schaltfläche. Bitte wenden Sie sich an ${address ?? 'Ihr Sicherheitsteam'}.`,
    unknownTitle: 'Diese Schaltfläche funktioniert nicht mehr',
    unknown: 'Bitte fragen Sie Ihre IT nach der neuen, und leiten Sie die E-Mail an Ihr Sicherheitsteam weiter.',
  },
  fr: {
    title: 'Signaler cet e-mail',
    about: 'Cet e-mail vous semble suspect ? Signalez-le : il sera transmis en entier à votre équipe de sécurité.',
    report: 'Signaler cet e-mail',
    sending: 'Signalement en cours…',
    simulationTitle: 'C’était une simulation. Bien vu !',
    simulation: 'Votre signalement a été enregistré. Vous n’avez rien d’autre à faire.',
    lesson: 'À retenir',
    passedOnTitle: 'Merci pour votre signalement',
    passedOn: 'L’e-mail a été transmis à votre équipe de sécurité. N’ouvrez ni ses liens ni ses pièces jointes.',
    failedTitle: 'L’e-mail n’a pas été signalé',
    failed: (address) =>
      `Transférez-le en pièce jointe à ${address ?? 'votre équipe de sécurité'}, ou réessayez plus tard.`,
    tooLarge: (address) =>
      `L’e-mail est trop volumineux pour ce bouton. Veuillez prévenir ${address ?? 'votre équipe de sécurité'}.`,
    unknownTitle: 'Ce bouton ne fonctionne plus',
    unknown: 'Demandez le nouveau à votre service informatique, et transférez l’e-mail à votre équipe de sécurité.',
  },
};
