import type { Language } from '../../../contract/languages.ts';

interface BoardMail {
  company: string;
  contact: string;
  /** Name of the schedule. */
  schedule: string;
  /** First and last day of the period, formatted. */
  from: string;
  to: string;
}

/** Texts of the email that carries the board report. */
export interface BoardMailMessages {
  greeting(name: string): string;
  subject(mail: BoardMail): string;
  about(mail: BoardMail): string;
  attached: string;
  /** Label of the unsubscribe link. */
  unsubscribe: string;
  footer(mail: BoardMail): string;
  /** Footer of a report that an admin requested. */
  requestedFooter(mail: BoardMail): string;
}

export const boardMailMessages: Record<Language, BoardMailMessages> = {
  en: {
    greeting: (name) => `Hello ${name},`,
    subject: ({ company, to }) => `Security awareness at ${company}: report of ${to}`,
    about: ({ company, from, to }) =>
      `The attached PDF shows the state of the security awareness programme at ${company}, and what changed between ${from} and ${to}.`,
    attached: 'It has four pages and names no learners.',
    unsubscribe: 'Stop receiving this report',
    footer: ({ company, contact, schedule }) =>
      `You are receiving this message because ${company} has added you to the recipients of “${schedule}”. Questions? Ask ${contact}.`,
    requestedFooter: ({ contact, schedule }) =>
      `You are receiving this message because you or another admin requested the report “${schedule}” for you. Questions? Ask ${contact}.`,
  },
  de: {
    greeting: (name) => `Guten Tag ${name},`,
    subject: ({ company, to }) => `Security Awareness bei ${company}: Bericht vom ${to}`,
    about: ({ company, from, to }) =>
      `Das angehängte PDF zeigt, wo das Security-Awareness-Programm von ${company} steht und was sich vom ${from} bis zum ${to} verändert hat.`,
    attached: 'Es hat vier Seiten und nennt keine Lernenden.',
    unsubscribe: 'Diesen Bericht abbestellen',
    footer: ({ company, contact, schedule }) =>
      `Sie erhalten diese Nachricht, weil ${company} Sie als Empfänger von „${schedule}“ eingetragen hat. Fragen? Wenden Sie sich an ${contact}.`,
    requestedFooter: ({ contact, schedule }) =>
      `Sie erhalten diese Nachricht, weil Sie oder ein anderer Administrator den Bericht „${schedule}“ für Sie angefordert haben. Fragen? Wenden Sie sich an ${contact}.`,
  },
  fr: {
    greeting: (name) => `Bonjour ${name},`,
    subject: ({ company, to }) => `Sensibilisation à la sécurité chez ${company} : rapport du ${to}`,
    about: ({ company, from, to }) =>
      `Le PDF ci-joint présente la situation du programme de sensibilisation à la sécurité de ${company} et ce qui a changé du ${from} au ${to}.`,
    attached: 'Il compte quatre pages et ne nomme aucun apprenant.',
    unsubscribe: 'Ne plus recevoir ce rapport',
    footer: ({ company, contact, schedule }) =>
      `Vous recevez ce message, car ${company} vous a ajouté(e) aux destinataires de « ${schedule} ». Des questions ? Écrivez à ${contact}.`,
    requestedFooter: ({ contact, schedule }) =>
      `Vous recevez ce message, car vous-même ou un autre membre de l’administration avez demandé pour vous le rapport « ${schedule} ». Des questions ? Écrivez à ${contact}.`,
  },
};
