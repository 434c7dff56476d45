import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';

type Status = NonNullable<Schemas['CampaignStatus']>;

/** Texts of the campaign list, and texts that all campaign pages share. */
export interface CampaignsMessages {
  title: string;
  about: string;
  none: string;
  noMatch: string;
  plan: string;
  filters: string;
  name: string;
  status: string;
  all: string;
  apply: string;
  reset: string;
  statuses: Record<Status, string>;
  learners: string;
  starts: string;
  nextDue: string;
  finished: string;
  overdue: string;
  first: string;
  next: string;
  pages: string;
  /** Text of the link from the pages of one campaign to the list. */
  back: string;
  notices: Readonly<Record<'deleted' | 'ended', string>>;
}

export const campaignsMessages: Record<Language, CampaignsMessages> = {
  en: {
    title: 'Campaigns',
    about: 'A campaign asks people to finish courses, sign policies and handle simulations by a certain day.',
    none: 'There are no campaigns yet.',
    noMatch: 'No campaign matches these filters.',
    plan: 'Plan a campaign',
    filters: 'Filter campaigns',
    name: 'Name',
    status: 'Status',
    all: 'All',
    apply: 'Apply',
    reset: 'Show all',
    statuses: { draft: 'Draft', scheduled: 'Scheduled', running: 'Running', paused: 'Paused', ended: 'Ended' },
    learners: 'People',
    starts: 'Start',
    nextDue: 'Next due',
    finished: 'Finished',
    overdue: 'Overdue',
    first: 'First page',
    next: 'Next page',
    pages: 'Pages of the list',
    back: 'All campaigns',
    notices: { deleted: 'The campaign has been deleted.', ended: 'The campaign has ended.' },
  },
  de: {
    title: 'Kampagnen',
    about:
      'Mit einer Kampagne fordern Sie Personen auf, bis zu einem bestimmten Tag Kurse abzuschließen und Richtlinien zu unterschreiben, und verschicken Simulationen.',
    none: 'Es gibt noch keine Kampagnen.',
    noMatch: 'Keine Kampagne entspricht diesen Filtern.',
    plan: 'Kampagne planen',
    filters: 'Kampagnen filtern',
    name: 'Name',
    status: 'Status',
    all: 'Alle',
    apply: 'Anwenden',
    reset: 'Alle anzeigen',
    statuses: { draft: 'Entwurf', scheduled: 'Geplant', running: 'Läuft', paused: 'Angehalten', ended: 'Beendet' },
    learners: 'Personen',
    starts: 'Beginn',
    nextDue: 'Nächste Frist',
    finished: 'Erledigt',
    overdue: 'Überfällig',
    first: 'Erste Seite',
    next: 'Nächste Seite',
    pages: 'Seiten der Liste',
    back: 'Alle Kampagnen',
    notices: { deleted: 'Die Kampagne wurde gelöscht.', ended: 'Die Kampagne wurde beendet.' },
  },
  fr: {
    title: 'Campagnes',
    about:
      'Une campagne demande à des personnes de suivre des cours et de signer des politiques avant une date donnée, et peut envoyer des simulations.',
    none: 'Il n’y a pas encore de campagne.',
    noMatch: 'Aucune campagne ne correspond à ces filtres.',
    plan: 'Préparer une campagne',
    filters: 'Filtrer les campagnes',
    name: 'Nom',
    status: 'État',
    all: 'Tous',
    apply: 'Appliquer',
    reset: 'Tout afficher',
    statuses: {
      draft: 'Brouillon',
      scheduled: 'Programmée',
      running: 'En cours',
      paused: 'Suspendue',
      ended: 'Terminée',
    },
    learners: 'Personnes',
    starts: 'Début',
    nextDue: 'Prochaine échéance',
    finished: 'Fait',
    overdue: 'En retard',
    first: 'Première page',
    next: 'Page suivante',
    pages: 'Pages de la liste',
    back: 'Toutes les campagnes',
    notices: { deleted: 'La campagne a été supprimée.', ended: 'La campagne est terminée.' },
  },
};
