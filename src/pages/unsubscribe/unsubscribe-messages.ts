import type { Language } from '../../contract/languages.ts';

/** Texts of the page on which a recipient unsubscribes from the report for the board. */
export interface UnsubscribeMessages {
  title: string;
  about(schedule: string, company: string): string;
  stop: string;
  stoppedTitle: string;
  stopped(schedule: string, company: string): string;
  again: string;
  unknownTitle: string;
  unknown: string;
}

export const unsubscribeMessages: Record<Language, UnsubscribeMessages> = {
  en: {
    title: 'Stop receiving this report?',
    about: (schedule, company) =>
      `${company} sends you the report “${schedule}” by e-mail. If you unsubscribe, you will no longer receive it.`,
    stop: 'Unsubscribe',
    stoppedTitle: 'You no longer receive this report',
    stopped: (schedule, company) => `${company} no longer sends you the report “${schedule}”.`,
    again: 'Receive it again',
    unknownTitle: 'This link does not work',
    unknown: 'The link is incomplete, or you are no longer among the recipients of the report.',
  },
  de: {
    title: 'Diesen Bericht abbestellen?',
    about: (schedule, company) =>
      `${company} schickt Ihnen den Bericht „${schedule}“ per E-Mail. Wenn Sie ihn abbestellen, erhalten Sie ihn nicht mehr.`,
    stop: 'Bericht abbestellen',
    stoppedTitle: 'Sie erhalten diesen Bericht nicht mehr',
    stopped: (schedule, company) => `${company} schickt Ihnen den Bericht „${schedule}“ nicht mehr.`,
    again: 'Wieder erhalten',
    unknownTitle: 'Dieser Link funktioniert nicht',
    unknown: 'Der Link ist unvollständig, oder Sie gehören nicht mehr zu den Empfängern des Berichts.',
  },
  fr: {
    title: 'Ne plus recevoir ce rapport ?',
    about: (schedule, company) =>
      `${company} vous envoie le rapport « ${schedule} » par e-mail. Si vous vous désabonnez, vous ne le recevrez plus.`,
    stop: 'Se désabonner',
    stoppedTitle: 'Vous ne recevez plus ce rapport',
    stopped: (schedule, company) => `${company} ne vous envoie plus le rapport « ${schedule} ».`,
    again: 'Le recevoir à nouveau',
    unknownTitle: 'Ce lien ne fonctionne pas',
    unknown: 'Le lien est incomplet, ou vous ne faites plus partie des destinataires du rapport.',
  },
};
