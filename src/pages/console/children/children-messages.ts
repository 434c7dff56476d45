import type { CompaniesSort } from './children-query.ts';
import type { Language } from '../../../contract/languages.ts';

/** Texts of the pages about managed companies. */
export interface ChildrenMessages {
  title: string;
  caption: string;
  /** Returns the note that says when the figures were counted. */
  counted: string;
  columns: Readonly<Record<'company' | 'learners' | Exclude<CompaniesSort, 'companyName' | 'learnerCount'>, string>>;
  search: string;
  sort: string;
  filters: string;
  apply: string;
  reset: string;
  sorts: Readonly<Record<CompaniesSort, string>>;
  pages: string;
  none: string;
  noMatch: string;
  trial: string;
  /** Text in place of figures until they have been counted for the first time. */
  notYet: string;
  own: string;
  compare: string;
  compareChosen: string;
  /** Label of the check box that selects a company. */
  choose: (name: string) => string;
  /** Note above a comparison of selected companies. */
  chosen: string;
  compareAll: string;
  compareTitle: string;
  compareAbout: string;
  measure: string;
  asOf: (time: string) => string;
  banner: (company: string) => string;
  bannerAbout: string;
  back: string;
}

export const childrenMessages: Record<Language, ChildrenMessages> = {
  en: {
    title: 'Your companies',
    caption: 'The companies that you manage, with the figures of last night',
    counted: 'The figures are counted each night. A rate over too few people is not shown. Learners are counted now.',
    columns: {
      company: 'Company',
      learners: 'Learners',
      averageRiskScore: 'Mean risk',
      overdueRate: 'Overdue',
      clickRate: 'Clicked',
      reportRate: 'Reported',
      breachedAccounts: 'Breached accounts',
      lastActivityAt: 'Last activity',
    },
    search: 'Name',
    sort: 'Order',
    filters: 'Search and order of the companies',
    apply: 'Show',
    reset: 'Show all',
    sorts: {
      companyName: 'Name',
      learnerCount: 'Most learners',
      averageRiskScore: 'Highest mean risk',
      overdueRate: 'Most overdue',
      clickRate: 'Highest click rate',
      reportRate: 'Lowest report rate',
      breachedAccounts: 'Most breached accounts',
      lastActivityAt: 'Longest without activity',
    },
    pages: 'Pages of the list',
    none: 'You do not manage any companies yet. The operator of the service adds them.',
    noMatch: 'No company has this name.',
    trial: 'trial',
    notYet: 'first figures tonight',
    own: 'Figures of your own company',
    compare: 'Compare these companies',
    compareChosen: 'Compare the selected companies',
    choose: (name) => `Select ${name}`,
    chosen: 'These are the companies that you selected.',
    compareAll: 'Compare all companies',
    compareTitle: 'Compare companies',
    compareAbout: 'The company that needs the most attention comes first. Companies without the figure come last.',
    measure: 'Figure',
    asOf: (time) => `Counted on ${time} (UTC).`,
    banner: (company) => `You are looking at ${company}.`,
    bannerAbout: 'These pages are read-only, and the audit log of the company records what you read.',
    back: 'Back to your companies',
  },
  de: {
    title: 'Ihre Unternehmen',
    caption: 'Die Unternehmen, die Sie betreuen, mit den Zahlen der letzten Nacht',
    counted:
      'Die Zahlen werden jede Nacht ermittelt. Quoten über zu wenige Personen werden nicht gezeigt. Die Zahl der Lernenden ist die aktuelle.',
    columns: {
      company: 'Unternehmen',
      learners: 'Lernende',
      averageRiskScore: 'Mittleres Risiko',
      overdueRate: 'Überfällig',
      clickRate: 'Geklickt',
      reportRate: 'Gemeldet',
      breachedAccounts: 'Konten in Datenlecks',
      lastActivityAt: 'Letzte Aktivität',
    },
    search: 'Name',
    sort: 'Reihenfolge',
    filters: 'Suche und Reihenfolge der Unternehmen',
    apply: 'Anzeigen',
    reset: 'Alle anzeigen',
    sorts: {
      companyName: 'Name',
      learnerCount: 'Meiste Lernende',
      averageRiskScore: 'Höchstes mittleres Risiko',
      overdueRate: 'Am meisten überfällig',
      clickRate: 'Höchste Klickrate',
      reportRate: 'Niedrigste Melderate',
      breachedAccounts: 'Meiste Konten in Datenlecks',
      lastActivityAt: 'Am längsten ohne Aktivität',
    },
    pages: 'Seiten der Liste',
    none: 'Sie betreuen noch kein Unternehmen. Der Betreiber des Dienstes trägt sie ein.',
    noMatch: 'Kein Unternehmen heißt so.',
    trial: 'Testphase',
    notYet: 'erste Zahlen heute Nacht',
    own: 'Zahlen Ihres eigenen Unternehmens',
    compare: 'Diese Unternehmen vergleichen',
    compareChosen: 'Ausgewählte Unternehmen vergleichen',
    choose: (name) => `${name} auswählen`,
    chosen: 'Das sind die Unternehmen, die Sie ausgewählt haben.',
    compareAll: 'Alle Unternehmen vergleichen',
    compareTitle: 'Unternehmen vergleichen',
    compareAbout:
      'Das Unternehmen, das die meiste Aufmerksamkeit braucht, steht oben. Unternehmen ohne diese Zahl stehen am Ende.',
    measure: 'Zahl',
    asOf: (time) => `Ermittelt am ${time} (UTC).`,
    banner: (company) => `Sie sehen ${company}.`,
    bannerAbout: 'Diese Seiten zeigen nur an, und das Audit-Log des Unternehmens hält fest, was Sie lesen.',
    back: 'Zurück zu Ihren Unternehmen',
  },
  fr: {
    title: 'Vos entreprises',
    caption: 'Les entreprises que vous gérez, avec les chiffres de la nuit dernière',
    counted:
      'Les chiffres sont calculés chaque nuit. Un taux qui porte sur trop peu de personnes n’est pas affiché. Le nombre d’apprenants est le nombre actuel.',
    columns: {
      company: 'Entreprise',
      learners: 'Apprenants',
      averageRiskScore: 'Risque moyen',
      overdueRate: 'En retard',
      clickRate: 'Clics',
      reportRate: 'Signalements',
      breachedAccounts: 'Comptes compromis',
      lastActivityAt: 'Dernière activité',
    },
    search: 'Nom',
    sort: 'Ordre',
    filters: 'Recherche et ordre des entreprises',
    apply: 'Afficher',
    reset: 'Tout afficher',
    sorts: {
      companyName: 'Nom',
      learnerCount: 'Plus grand nombre d’apprenants',
      averageRiskScore: 'Risque moyen le plus élevé',
      overdueRate: 'Le plus de retards',
      clickRate: 'Taux de clics le plus élevé',
      reportRate: 'Taux de signalement le plus bas',
      breachedAccounts: 'Le plus de comptes compromis',
      lastActivityAt: 'Le plus longtemps sans activité',
    },
    pages: 'Pages de la liste',
    none: 'Vous ne gérez pas encore d’entreprise. L’exploitant du service les saisit.',
    noMatch: 'Aucune entreprise ne porte ce nom.',
    trial: 'essai',
    notYet: 'premiers chiffres cette nuit',
    own: 'Chiffres de votre propre entreprise',
    compare: 'Comparer ces entreprises',
    compareChosen: 'Comparer les entreprises sélectionnées',
    choose: (name) => `Sélectionner ${name}`,
    chosen: 'Voici les entreprises que vous avez sélectionnées.',
    compareAll: 'Comparer toutes les entreprises',
    compareTitle: 'Comparer les entreprises',
    compareAbout:
      'L’entreprise qui demande le plus d’attention vient en premier. Les entreprises sans ce chiffre viennent en dernier.',
    measure: 'Chiffre',
    asOf: (time) => `Calculés le ${time} (UTC).`,
    banner: (company) => `Vous consultez ${company}.`,
    bannerAbout: 'Ces pages sont en lecture seule, et le journal d’audit de l’entreprise enregistre ce que vous lisez.',
    back: 'Retour à vos entreprises',
  },
};
