import type { Language } from '../../../contract/languages.ts';

/** Texts for downloading the board report. */
export interface BoardReportMessages {
  title: string;
  about: string;
  label: string;
  languages: Record<Language, string>;
  period: string;
  periods: Record<'week' | 'month' | 'quarter', string>;
  download: string;
  /** Text of the link to the schedules. */
  byMail: string;
}

const languages = { en: 'English', de: 'Deutsch', fr: 'Français' };

export const boardReportMessages: Record<Language, BoardReportMessages> = {
  en: {
    title: 'Report for the board',
    about:
      'Four pages: where you stand, what has changed, who is overdue by department, and what is due next. It names no learners.',
    label: 'Language',
    languages,
    period: 'Period',
    periods: { week: 'The last 7 days', month: 'The last 30 days', quarter: 'The last 91 days' },
    download: 'Download PDF',
    byMail: 'Send it by e-mail',
  },
  de: {
    title: 'Bericht für die Geschäftsleitung',
    about:
      'Vier Seiten: wo Sie stehen, was sich verändert hat, welche Abteilungen im Rückstand sind und was als Nächstes fällig ist. Der Bericht nennt keine Lernenden.',
    label: 'Sprache',
    languages,
    period: 'Zeitraum',
    periods: { week: 'Die letzten 7 Tage', month: 'Die letzten 30 Tage', quarter: 'Die letzten 91 Tage' },
    download: 'PDF herunterladen',
    byMail: 'Per E-Mail verschicken',
  },
  fr: {
    title: 'Rapport pour la direction',
    about:
      'Quatre pages : votre situation, ce qui a changé, les services en retard et les prochaines échéances. Le rapport ne nomme aucun apprenant.',
    label: 'Langue',
    languages,
    period: 'Période',
    periods: { week: 'Les 7 derniers jours', month: 'Les 30 derniers jours', quarter: 'Les 91 derniers jours' },
    download: 'Télécharger le PDF',
    byMail: 'L’envoyer par e-mail',
  },
};
