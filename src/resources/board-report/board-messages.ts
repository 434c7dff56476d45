import type { Language } from '../../contract/languages.ts';

/** Texts of the board report. Numbers and days are already formatted. */
export interface BoardMessages {
  title: string;
  period: (from: string, to: string) => string;
  page: (number: number, all: number) => string;
  standing: string;
  standingText: (learners: string) => string;
  nobody: string;
  learners: string;
  finished: string;
  signed: string;
  risk: string;
  overduePeople: string;
  departments: string;
  noDepartment: string;
  more: (count: string) => string;
  none: string;
  hidden: string;
  changed: string;
  changedText: (day: string) => string;
  measure: string;
  before: string;
  now: string;
  change: string;
  clicked: string;
  reported: string;
  points: (value: string) => string;
  riskOverTime: string;
  riskPicture: (first: string, last: string) => string;
  noRisk: string;
  overdue: string;
  overdueText: (overdue: string, open: string) => string;
  nothingOverdue: string;
  area: string;
  ofOpen: (overdue: string, open: string) => string;
  next: string;
  nextText: string;
  nothingDue: string;
  lastDay: string;
  task: string;
  campaign: string;
  levels: Record<'low' | 'moderate' | 'high' | 'critical', string>;
}

export const boardMessages: Record<Language, BoardMessages> = {
  en: {
    title: 'Security awareness report',
    period: (from, to) => `${from} to ${to}`,
    page: (number, all) => `Page ${number} of ${all}`,
    standing: 'Where we stand',
    standingText: (learners) => `The programme has ${learners} active learners. Each figure is that of the last day.`,
    nobody: 'The programme has no learners yet.',
    learners: 'Active learners',
    finished: 'Training finished',
    signed: 'Policies signed',
    risk: 'Mean risk (0 to 100, lower is better)',
    overduePeople: 'People overdue',
    departments: 'By department',
    noDepartment: 'No department',
    more: (count) => `Not shown: ${count} more`,
    none: 'none yet',
    hidden: 'not shown',
    changed: 'What has changed',
    changedText: (day) =>
      `The figures now, compared with those of ${day}. Clicks and reports are those of the simulations that began in the period, and in the period before it.`,
    measure: 'Measure',
    before: 'Before',
    now: 'Now',
    change: 'Change',
    clicked: 'Links followed in simulations',
    reported: 'Messages of simulations reported',
    points: (value) => `${value} points`,
    riskOverTime: 'Mean risk over time',
    riskPicture: (first, last) => `The mean risk was ${first} at the beginning and ${last} at the end of the period.`,
    noRisk: 'There is no recorded risk in this period.',
    overdue: 'Who is overdue',
    overdueText: (overdue, open) =>
      `${overdue} of ${open} people with open tasks are overdue with at least one of them.`,
    nothingOverdue: 'Nobody is overdue.',
    area: 'Department',
    ofOpen: (overdue, open) => `${overdue} of ${open}`,
    next: 'What comes next',
    nextText: 'Open tasks of campaigns, by last day, with the number of learners.',
    nothingDue: 'No task is due next.',
    lastDay: 'Last day',
    task: 'Course or policy',
    campaign: 'Campaign',
    levels: { low: 'low', moderate: 'moderate', high: 'high', critical: 'critical' },
  },
  de: {
    title: 'Bericht zur Security Awareness',
    period: (from, to) => `${from} bis ${to}`,
    page: (number, all) => `Seite ${number} von ${all}`,
    standing: 'Wo wir stehen',
    standingText: (learners) => `Das Programm hat ${learners} aktive Lernende. Alle Zahlen gelten für den letzten Tag.`,
    nobody: 'Das Programm hat noch keine Lernenden.',
    learners: 'Aktive Lernende',
    finished: 'Schulungen abgeschlossen',
    signed: 'Richtlinien unterschrieben',
    risk: 'Mittleres Risiko (0 bis 100, niedriger ist besser)',
    overduePeople: 'Personen im Rückstand',
    departments: 'Nach Abteilung',
    noDepartment: 'Ohne Abteilung',
    more: (count) => `Nicht gezeigt: ${count} weitere`,
    none: 'noch keine',
    hidden: 'nicht gezeigt',
    changed: 'Was sich verändert hat',
    changedText: (day) =>
      `Die Zahlen von heute im Vergleich mit denen vom ${day}. Klicks und Meldungen stammen aus den Simulationen, die in diesem und im vorigen Zeitraum begonnen haben.`,
    measure: 'Kennzahl',
    before: 'Vorher',
    now: 'Jetzt',
    change: 'Änderung',
    clicked: 'Angeklickte Links in Simulationen',
    reported: 'Gemeldete Nachrichten aus Simulationen',
    points: (value) => `${value} Punkte`,
    riskOverTime: 'Mittleres Risiko im Zeitverlauf',
    riskPicture: (first, last) =>
      `Das mittlere Risiko lag am Anfang des Zeitraums bei ${first} und am Ende bei ${last}.`,
    noRisk: 'Für diesen Zeitraum ist kein Risiko festgehalten.',
    overdue: 'Wer im Rückstand ist',
    overdueText: (overdue, open) =>
      `${overdue} von ${open} Personen mit offenen Aufgaben sind bei mindestens einer im Rückstand.`,
    nothingOverdue: 'Niemand ist im Rückstand.',
    area: 'Abteilung',
    ofOpen: (overdue, open) => `${overdue} von ${open}`,
    next: 'Was als Nächstes kommt',
    nextText: 'Offene Aufgaben aus Kampagnen nach letztem Tag, mit der Zahl der Lernenden.',
    nothingDue: 'Als Nächstes ist nichts fällig.',
    lastDay: 'Letzter Tag',
    task: 'Kurs oder Richtlinie',
    campaign: 'Kampagne',
    levels: { low: 'niedrig', moderate: 'mäßig', high: 'hoch', critical: 'kritisch' },
  },
  fr: {
    title: 'Rapport de sensibilisation à la sécurité',
    period: (from, to) => `Du ${from} au ${to}`,
    page: (number, all) => `Page ${number} sur ${all}`,
    standing: 'Où nous en sommes',
    standingText: (learners) =>
      `Le programme compte ${learners} apprenants actifs. Chaque chiffre est celui du dernier jour.`,
    nobody: 'Le programme n’a pas encore d’apprenants.',
    learners: 'Apprenants actifs',
    finished: 'Formations terminées',
    signed: 'Politiques signées',
    risk: 'Risque moyen (de 0 à 100, plus bas est mieux)',
    overduePeople: 'Personnes en retard',
    departments: 'Par service',
    noDepartment: 'Sans service',
    more: (count) => `Non affichés : ${count} autres`,
    none: 'aucune pour l’instant',
    hidden: 'non affiché',
    changed: 'Ce qui a changé',
    changedText: (day) =>
      `Les chiffres d’aujourd’hui, comparés à ceux du ${day}. Les clics et les signalements sont ceux des simulations commencées pendant la période, et pendant la période précédente.`,
    measure: 'Indicateur',
    before: 'Avant',
    now: 'Maintenant',
    change: 'Évolution',
    clicked: 'Liens suivis dans les simulations',
    reported: 'Messages de simulations signalés',
    points: (value) => `${value} points`,
    riskOverTime: 'Risque moyen au fil du temps',
    riskPicture: (first, last) => `Le risque moyen était de ${first} au début et de ${last} à la fin de la période.`,
    noRisk: 'Aucun risque n’est enregistré pour cette période.',
    overdue: 'Qui est en retard',
    overdueText: (overdue, open) =>
      `${overdue} des ${open} personnes ayant des tâches en cours sont en retard pour au moins une d’entre elles.`,
    nothingOverdue: 'Personne n’est en retard.',
    area: 'Service',
    ofOpen: (overdue, open) => `${overdue} sur ${open}`,
    next: 'Prochaines échéances',
    nextText: 'Tâches en cours des campagnes, par dernier jour, avec le nombre d’apprenants.',
    nothingDue: 'Aucune échéance à venir.',
    lastDay: 'Dernier jour',
    task: 'Cours ou politique',
    campaign: 'Campagne',
    levels: { low: 'faible', moderate: 'modéré', high: 'élevé', critical: 'critique' },
  },
};
