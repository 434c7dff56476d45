import type { Language } from '../../../contract/languages.ts';
import type { Part } from './report-query.ts';
import type { ReportName } from './report.ts';

/** Texts of the reports. The caller passes numbers and dates already formatted. */
export interface ReportsMessages {
  title: string;
  about: string;
  back: string;
  nothing: string;
  questions: Record<ReportName, string>;
  overduePeopleTitle: string;
  backToOverdue: string;
  filters: { label: string; apply: string; reset: string; all: string } & Record<
    'by' | 'from' | 'to' | 'asOf' | 'policyId',
    string
  >;
  parts: Record<Part, string>;
  wrongDays: string;
  table: string;
  csv: string;
  pages: { label: string; first: string; next: string };
  empty: string;
  cut: (rows: string) => string;
  none: string;
  noMean: string;
  noDepartment: string;
  noPart: string;
  kinds: Record<'course' | 'policy', string>;
  participation: (learners: string) => string;
  departmentsToday: string;
  /** The texts before and after the name of the department, group or manager with the most overdue people. */
  overdue: { before: string; after: (overdue: string, open: string) => string };
  nothingOverdue: string;
  overduePeople: string;
  overdueByArea: string;
  simulations: Record<'none' | 'clicksOverTime' | 'reportsOverTime', string> & { text: (sent: string) => string };
  noRisk: string;
  policies: Record<'text' | 'allSigned' | 'signed', string>;
  due: Record<'none' | 'chart', string> & { text: (day: string) => string };
  columns: Record<Column, string>;
}

type Column =
  | ('part' | 'learners' | 'finished' | 'signed' | 'risk' | 'clicked' | 'reported' | 'gaveData' | 'sent')
  | ('overduePeople' | 'overdueTasks' | 'openPeople' | 'openTasks' | 'name' | 'email' | 'task' | 'dueOn')
  | ('simulation' | 'start' | 'department' | 'policy' | 'askedOn' | 'remindedOn' | 'campaign');

export const reportsMessages: Record<Language, ReportsMessages> = {
  en: {
    title: 'Reports',
    about: 'Each page answers one question, with its figures as a CSV file and as an API call.',
    back: 'All reports',
    nothing: 'Your role or the plan of your organisation includes no reports.',
    questions: {
      participation: 'Where do we stand?',
      overdue: 'Who is overdue?',
      simulations: 'How did simulations go?',
      risk: 'How has the risk changed?',
      policies: 'Who has not signed which policy?',
      due: 'What is due next?',
    },
    overduePeopleTitle: 'People who are overdue',
    backToOverdue: 'Who is overdue?',
    filters: {
      ...{ label: 'Filters', apply: 'Apply', reset: 'Remove filters', all: 'All' },
      ...{ by: 'By', from: 'From', to: 'To', asOf: 'As of', policyId: 'Policy' },
    },
    parts: { department: 'Department', group: 'Group', manager: 'Manager' },
    wrongDays: 'Enter a first day that is not after the last one, and an “as of” day that is not in the future.',
    table: 'Figures',
    csv: 'Download as CSV',
    pages: { label: 'Pages of the table', first: 'First page', next: 'Next page' },
    empty: 'There are no entries.',
    cut: (rows) => `The table shows ${rows} entries. The CSV file has all of them.`,
    none: 'none yet',
    noMean: 'hidden or unknown',
    noDepartment: 'No department',
    noPart: 'None',
    kinds: { course: 'Course', policy: 'Policy' },
    participation: (learners) =>
      `Training and policies of ${learners} active learners. The mean risk of a small group is hidden. The period selects the simulations.`,
    departmentsToday: 'Departments are shown as of today. Choose groups to see a past day.',
    overdue: {
      before: 'Most people are overdue in: ',
      after: (overdue, open) => ` (${overdue} of ${open} people with open tasks).`,
    },
    nothingOverdue: 'Nothing is overdue.',
    overduePeople: 'Open tasks whose last day has passed.',
    overdueByArea: 'People who are overdue, by area',
    simulations: {
      none: 'No message was sent in this period.',
      text: (sent) => `The period has ${sent} messages. A report is what you want; a click is a reason to train.`,
      clicksOverTime: 'Link followed, over time',
      reportsOverTime: 'Reported, over time',
    },
    noRisk: 'There is no recorded risk in this period. The risk is recorded every night.',
    policies: {
      text: 'Each entry is a policy that a person was asked to sign and has not signed.',
      allSigned: 'Nobody has a signature outstanding.',
      signed: 'Signed',
    },
    due: {
      text: (day) => `The next last day is ${day}. Overdue tasks have a separate page.`,
      none: 'No task is due in this period.',
      chart: 'Learners with open tasks, by last day',
    },
    columns: {
      ...{ part: 'Area', learners: 'Learners', finished: 'Training finished', signed: 'Policies signed', risk: 'Risk' },
      ...{ clicked: 'Link followed', reported: 'Reported', gaveData: 'Gave data away', sent: 'Sent' },
      ...{ overduePeople: 'People overdue', overdueTasks: 'Overdue tasks', openPeople: 'People with open tasks' },
      ...{ openTasks: 'Open tasks', name: 'Name', email: 'E-mail address', task: 'Task', dueOn: 'Last day' },
      ...{ simulation: 'Simulation', start: 'Start', department: 'Department', policy: 'Policy' },
      ...{ askedOn: 'Asked on', remindedOn: 'Reminded on', campaign: 'Campaign' },
    },
  },
  de: {
    title: 'Berichte',
    about: 'Jede Seite beantwortet eine Frage. Die Zahlen gibt es auch als CSV-Datei und über die API.',
    back: 'Alle Berichte',
    nothing: 'Ihre Rolle oder der gebuchte Umfang Ihrer Organisation enthält keine Berichte.',
    questions: {
      participation: 'Wo stehen wir?',
      overdue: 'Wer ist im Rückstand?',
      simulations: 'Wie sind die Simulationen verlaufen?',
      risk: 'Wie hat sich das Risiko entwickelt?',
      policies: 'Wer hat welche Richtlinie nicht unterschrieben?',
      due: 'Was ist als Nächstes fällig?',
    },
    overduePeopleTitle: 'Personen im Rückstand',
    backToOverdue: 'Wer ist im Rückstand?',
    filters: {
      ...{ label: 'Filter', apply: 'Anwenden', reset: 'Filter entfernen', all: 'Alle' },
      ...{ by: 'Nach', from: 'Von', to: 'Bis', asOf: 'Stand', policyId: 'Richtlinie' },
    },
    parts: { department: 'Abteilung', group: 'Gruppe', manager: 'Führungskraft' },
    wrongDays: 'Der erste Tag darf nicht nach dem letzten liegen, und der Stand nicht in der Zukunft.',
    table: 'Zahlen',
    csv: 'Als CSV herunterladen',
    pages: { label: 'Seiten der Tabelle', first: 'Erste Seite', next: 'Nächste Seite' },
    empty: 'Es gibt keine Einträge.',
    cut: (rows) => `Die Tabelle zeigt ${rows} Einträge. Die CSV-Datei enthält alle.`,
    none: 'noch keine',
    noMean: 'verborgen oder unbekannt',
    noDepartment: 'Ohne Abteilung',
    noPart: 'Ohne Zuordnung',
    kinds: { course: 'Kurs', policy: 'Richtlinie' },
    participation: (learners) =>
      `Schulungen und Richtlinien von ${learners} aktiven Lernenden. Das mittlere Risiko kleiner Gruppen wird nicht angezeigt. Der Zeitraum gilt für die Simulationen.`,
    departmentsToday: 'Abteilungen gibt es nur mit heutigem Stand. Einen früheren Tag zeigt der Bericht nach Gruppen.',
    overdue: {
      before: 'Die meisten Personen im Rückstand: ',
      after: (overdue, open) => ` (${overdue} von ${open} Personen mit offenen Aufgaben).`,
    },
    nothingOverdue: 'Nichts ist überfällig.',
    overduePeople: 'Offene Aufgaben, deren letzter Tag vorbei ist.',
    overdueByArea: 'Personen im Rückstand nach Bereich',
    simulations: {
      none: 'In diesem Zeitraum wurde keine Nachricht gesendet.',
      text: (sent) =>
        `In diesem Zeitraum wurden ${sent} Nachrichten gesendet. Meldungen sind erwünscht; Klicks zeigen, wo Schulungen fehlen.`,
      clicksOverTime: 'Link angeklickt, im Zeitverlauf',
      reportsOverTime: 'Gemeldet, im Zeitverlauf',
    },
    noRisk: 'Für diesen Zeitraum ist kein Risiko festgehalten. Das geschieht jede Nacht.',
    policies: {
      text: 'Jeder Eintrag ist eine Richtlinie, um deren Unterschrift eine Person gebeten wurde und die sie nicht unterschrieben hat.',
      allSigned: 'Es steht keine Unterschrift aus.',
      signed: 'Unterschrieben',
    },
    due: {
      text: (day) => `Der nächste letzte Tag ist der ${day}. Überfällige Aufgaben haben eine eigene Seite.`,
      none: 'In diesem Zeitraum ist nichts fällig.',
      chart: 'Lernende mit offenen Aufgaben nach letztem Tag',
    },
    columns: {
      ...{
        part: 'Bereich',
        learners: 'Lernende',
        finished: 'Schulungen abgeschlossen',
        signed: 'Richtlinien unterschrieben',
      },
      ...{ risk: 'Risiko', clicked: 'Link angeklickt', reported: 'Gemeldet', gaveData: 'Daten preisgegeben' },
      ...{ sent: 'Gesendet', overduePeople: 'Personen im Rückstand', overdueTasks: 'Überfällige Aufgaben' },
      ...{ openPeople: 'Personen mit offenen Aufgaben', openTasks: 'Offene Aufgaben', name: 'Name' },
      ...{ email: 'E-Mail-Adresse', task: 'Aufgabe', dueOn: 'Letzter Tag', simulation: 'Simulation', start: 'Beginn' },
      ...{ department: 'Abteilung', policy: 'Richtlinie', askedOn: 'Gebeten am', remindedOn: 'Erinnert am' },
      campaign: 'Kampagne',
    },
  },
  fr: {
    title: 'Rapports',
    about: 'Chaque page répond à une question. Ses chiffres existent aussi en fichier CSV et par l’API.',
    back: 'Tous les rapports',
    nothing: 'Votre rôle ou l’offre de votre organisation ne comprend aucun rapport.',
    questions: {
      participation: 'Où en sommes-nous ?',
      overdue: 'Qui est en retard ?',
      simulations: 'Comment se sont passées les simulations ?',
      risk: 'Comment le risque a-t-il évolué ?',
      policies: 'Qui n’a pas signé quelle politique ?',
      due: 'Quelles sont les prochaines échéances ?',
    },
    overduePeopleTitle: 'Personnes en retard',
    backToOverdue: 'Qui est en retard ?',
    filters: {
      ...{ label: 'Filtres', apply: 'Appliquer', reset: 'Supprimer les filtres', all: 'Toutes' },
      ...{ by: 'Par', from: 'Du', to: 'Au', asOf: 'Situation au', policyId: 'Politique' },
    },
    parts: { department: 'Service', group: 'Groupe', manager: 'Responsable' },
    wrongDays: 'Le premier jour ne doit pas suivre le dernier, et la date de situation ne doit pas être dans le futur.',
    table: 'Chiffres',
    csv: 'Télécharger en CSV',
    pages: { label: 'Pages du tableau', first: 'Première page', next: 'Page suivante' },
    empty: 'Il n’y a aucune entrée.',
    cut: (rows) => `Le tableau montre ${rows} entrées. Le fichier CSV les contient toutes.`,
    none: 'aucune pour l’instant',
    noMean: 'masqué ou inconnu',
    noDepartment: 'Sans service',
    noPart: 'Sans rattachement',
    kinds: { course: 'Cours', policy: 'Politique' },
    participation: (learners) =>
      `Formations et politiques de ${learners} apprenants actifs. Le risque moyen des petits groupes est masqué. La période s’applique aux simulations.`,
    departmentsToday: 'Les services sont ceux d’aujourd’hui. Choisissez les groupes pour voir un jour passé.',
    overdue: {
      before: 'Le plus de personnes en retard : ',
      after: (overdue, open) => ` (${overdue} sur ${open} personnes ayant des tâches en cours).`,
    },
    nothingOverdue: 'Rien n’est en retard.',
    overduePeople: 'Tâches en cours dont le dernier jour est passé.',
    overdueByArea: 'Personnes en retard par secteur',
    simulations: {
      none: 'Aucun message n’a été envoyé pendant cette période.',
      text: (sent) =>
        `La période compte ${sent} messages. Un signalement est souhaité ; un clic montre où une formation est utile.`,
      clicksOverTime: 'Lien suivi, au fil du temps',
      reportsOverTime: 'Signalé, au fil du temps',
    },
    noRisk: 'Aucun risque n’est enregistré pour cette période. Il est enregistré chaque nuit.',
    policies: {
      text: 'Chaque entrée est une politique qu’une personne doit signer et n’a pas signée.',
      allSigned: 'Aucune signature n’est en attente.',
      signed: 'Signé',
    },
    due: {
      text: (day) => `Le prochain dernier jour est le ${day}. Les tâches en retard ont leur propre page.`,
      none: 'Aucune échéance pendant cette période.',
      chart: 'Apprenants ayant des tâches en cours, par dernier jour',
    },
    columns: {
      ...{ part: 'Secteur', learners: 'Apprenants', finished: 'Formations terminées', signed: 'Politiques signées' },
      ...{ risk: 'Risque', clicked: 'Lien suivi', reported: 'Signalé', gaveData: 'Données livrées', sent: 'Envoyés' },
      ...{ overduePeople: 'Personnes en retard', overdueTasks: 'Tâches en retard' },
      ...{ openPeople: 'Personnes ayant des tâches en cours', openTasks: 'Tâches en cours', name: 'Nom' },
      ...{ email: 'Adresse e-mail', task: 'Tâche', dueOn: 'Dernier jour', simulation: 'Simulation', start: 'Début' },
      ...{ department: 'Service', policy: 'Politique', askedOn: 'Demandé le', remindedOn: 'Relancé le' },
      campaign: 'Campagne',
    },
  },
};
