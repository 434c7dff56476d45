import type { Language } from '../../../contract/languages.ts';

/** Texts of the figure about training and policies by group. The caller passes numbers and dates already formatted. */
export interface GroupFigureMessages {
  title: string;
  none: string;
  training: string;
  policies: string;
  text: (drawn: number) => string;
  cut: (read: number) => string;
  nothing: string;
  head: readonly [group: string, learners: string, risk: string, finished: string, signed: string];
  caption: string;
  company: string;
}

export const groupFigureMessages: Record<Language, GroupFigureMessages> = {
  en: {
    title: 'Training and policies by group',
    none: 'There are no groups yet. The table shows the company as a whole.',
    training: 'Training finished',
    policies: 'Policies signed',
    text: (drawn) =>
      drawn === 1
        ? 'Upper bar: training finished. Lower bar: policies signed.'
        : `The ${drawn} largest groups. Upper bar: training finished. Lower bar: policies signed.`,
    cut: (read) => `Only the first ${read} groups are shown here.`,
    nothing: 'none',
    head: ['Group', 'Learners', 'Mean risk', 'Training finished', 'Policies signed'],
    caption: 'Training and policies by group',
    company: 'Whole company',
  },
  de: {
    title: 'Schulungen und Richtlinien nach Gruppen',
    none: 'Es gibt noch keine Gruppen. Die Tabelle zeigt das Unternehmen als Ganzes.',
    training: 'Schulungen abgeschlossen',
    policies: 'Richtlinien unterschrieben',
    text: (drawn) =>
      drawn === 1
        ? 'Oberer Balken: abgeschlossene Schulungen. Unterer Balken: unterschriebene Richtlinien.'
        : `Die ${drawn} größten Gruppen. Oberer Balken: abgeschlossene Schulungen. Unterer Balken: unterschriebene Richtlinien.`,
    cut: (read) => `Hier werden nur die ersten ${read} Gruppen gelesen.`,
    nothing: 'keine',
    head: ['Gruppe', 'Lernende', 'Mittleres Risiko', 'Schulungen abgeschlossen', 'Richtlinien unterschrieben'],
    caption: 'Schulungen und Richtlinien nach Gruppen',
    company: 'Ganzes Unternehmen',
  },
  fr: {
    title: 'Formations et politiques par groupe',
    none: 'Il n’y a pas encore de groupe. Le tableau montre l’entreprise entière.',
    training: 'Formations terminées',
    policies: 'Politiques signées',
    text: (drawn) =>
      drawn === 1
        ? 'Barre du haut : formations terminées. Barre du bas : politiques signées.'
        : `Les ${drawn} plus grands groupes. Barre du haut : formations terminées. Barre du bas : politiques signées.`,
    cut: (read) => `Seuls les ${read} premiers groupes sont lus ici.`,
    nothing: 'aucune',
    head: ['Groupe', 'Apprenants', 'Risque moyen', 'Formations terminées', 'Politiques signées'],
    caption: 'Formations et politiques par groupe',
    company: 'Entreprise entière',
  },
};
