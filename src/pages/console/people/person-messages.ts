import type { Language } from '../../../contract/languages.ts';

/** Texts of the page about a person. */
export interface PersonMessages {
  all: string;
  details: string;
  fields: Record<
    | ('email' | 'externalLearnerId' | 'department' | 'jobTitle' | 'location' | 'country' | 'locale' | 'timeZone')
    | ('manager' | 'groups' | 'absentUntil' | 'state' | 'createdAt'),
    string
  >;
  byDirectory: string;
  open: string;
  openHead: readonly [item: string, due: string, why: string];
  nothingOpen: string;
  overdue: string;
  proposed: string;
  proposedAbout: string;
  proposedHead: readonly [course: string, score: string, state: string];
  proposalStates: Record<'proposed' | 'enrolled' | 'finished', string>;
  dueBecause: Record<'days' | 'date' | 'newcomer' | 'return' | 'extended', string>;
  repeatedBecause: Readonly<Record<string, string>>;
  why: (campaign: string, because: string) => string;
  mailed: (times: number) => string;
  everyone: string;
  condition: string;
  risk: string;
  riskSince: (day: string) => string;
  noRisk: string;
  factors: Record<'simulations' | 'courses' | 'policies' | 'breaches', string>;
  notCounted: string;
  history: string;
  historyHead: readonly [time: string, kind: string, what: string];
  noHistory: string;
  historyAbout: string;
  earlier: (count: number) => string;
  signIn: string;
  lastSignIn: string;
  never: string;
  corrections: string;
  correctionHead: readonly [time: string, record: string, action: string, reason: string];
  recordKinds: Record<'course_result' | 'policy_signature' | 'simulation_event' | 'reported_message', string>;
  correctionActions: Record<'void' | 'replace' | 'restore', string>;
  noCorrections: string;
}

export const personMessages: Record<Language, PersonMessages> = {
  en: {
    all: 'All people',
    details: 'Details',
    fields: {
      email: 'E-mail address',
      externalLearnerId: 'Employee number',
      department: 'Department',
      jobTitle: 'Job title',
      location: 'Place of work',
      country: 'Country',
      locale: 'Language',
      timeZone: 'Time zone',
      manager: 'Manager',
      groups: 'Groups',
      absentUntil: 'Absent until',
      state: 'State',
      createdAt: 'Added on',
    },
    byDirectory: 'maintained by your directory',
    open: 'Open assignments',
    openHead: ['Course or policy', 'Due on', 'Reason'],
    nothingOpen: 'Nothing is open.',
    overdue: 'overdue',
    proposed: 'Proposed by the gap analysis',
    proposedAbout: 'Courses on the subjects with the fewest correct answers.',
    proposedHead: ['Course', 'Right answers', 'State'],
    proposalStates: { proposed: 'not enrolled', enrolled: 'enrolled', finished: 'finished' },
    dueBecause: {
      days: 'the due date follows the assignment by a number of days',
      date: 'due on a fixed day',
      newcomer: 'more time as a newcomer',
      return: 'more time after an absence',
      extended: 'extended',
    },
    repeatedBecause: {
      afterCompletion: 'repeated some months after the last completion',
      beforeExpiry: 'repeated before the certificate expires',
      yearly: 'repeated on the anniversary',
    },
    why: (campaign, because) => `${campaign}: ${because}`,
    mailed: (times) => (times === 1 ? 'reminded once' : `reminded ${times} times`),
    everyone: 'for everyone',
    condition: 'meets a condition of the campaign',
    risk: 'Risk',
    riskSince: (day) => `as of ${day}`,
    noRisk: 'The first score is computed tonight.',
    factors: { simulations: 'Simulations', courses: 'Training', policies: 'Policies', breaches: 'Data breaches' },
    notCounted: 'not counted',
    history: 'History',
    historyHead: ['When (UTC)', 'Area', 'What happened'],
    noHistory: 'Nothing has happened yet.',
    historyAbout: 'Newest first. Messages are kept for 90 days.',
    earlier: (count) => `Show ${count} earlier entries`,
    signIn: 'Sign-in',
    lastSignIn: 'Last sign-in',
    never: 'No sign-in in the last 180 days.',
    corrections: 'Corrections',
    correctionHead: ['When (UTC)', 'Record', 'Correction', 'Reason'],
    recordKinds: {
      course_result: 'Course result',
      policy_signature: 'Signature',
      simulation_event: 'Event of a simulation',
      reported_message: 'Reported message',
    },
    correctionActions: { void: 'voided', replace: 'replaced', restore: 'restored' },
    noCorrections: 'No record of this person has been corrected.',
  },
  de: {
    all: 'Alle Personen',
    details: 'Angaben',
    fields: {
      email: 'E-Mail-Adresse',
      externalLearnerId: 'Personalnummer',
      department: 'Abteilung',
      jobTitle: 'Funktion',
      location: 'Arbeitsort',
      country: 'Land',
      locale: 'Sprache',
      timeZone: 'Zeitzone',
      manager: 'Führungskraft',
      groups: 'Gruppen',
      absentUntil: 'Abwesend bis',
      state: 'Status',
      createdAt: 'Hinzugefügt am',
    },
    byDirectory: 'von Ihrem Verzeichnisdienst gepflegt',
    open: 'Offene Aufgaben',
    openHead: ['Kurs oder Richtlinie', 'Fällig am', 'Grund'],
    nothingOpen: 'Es ist nichts offen.',
    overdue: 'überfällig',
    proposed: 'Nach der Lückenanalyse empfohlen',
    proposedAbout: 'Kurse zu den Themen mit den wenigsten richtigen Antworten.',
    proposedHead: ['Kurs', 'Richtige Antworten', 'Stand'],
    proposalStates: { proposed: 'nicht angemeldet', enrolled: 'angemeldet', finished: 'abgeschlossen' },
    dueBecause: {
      days: 'fällig einige Tage nach der Zuweisung',
      date: 'fällig an einem festen Tag',
      newcomer: 'mehr Zeit als neue Person',
      return: 'mehr Zeit nach einer Abwesenheit',
      extended: 'verlängert',
    },
    repeatedBecause: {
      afterCompletion: 'einige Monate nach dem letzten Abschluss wiederholt',
      beforeExpiry: 'vor dem Ablauf des Zertifikats wiederholt',
      yearly: 'am Jahrestag wiederholt',
    },
    why: (campaign, because) => `${campaign}: ${because}`,
    mailed: (times) => (times === 1 ? 'einmal erinnert' : `${times}-mal erinnert`),
    everyone: 'für alle',
    condition: 'erfüllt eine Bedingung der Kampagne',
    risk: 'Risiko',
    riskSince: (day) => `Stand: ${day}`,
    noRisk: 'Der erste Wert wird in der kommenden Nacht berechnet.',
    factors: { simulations: 'Simulationen', courses: 'Schulungen', policies: 'Richtlinien', breaches: 'Datenlecks' },
    notCounted: 'zählt nicht',
    history: 'Verlauf',
    historyHead: ['Wann (UTC)', 'Bereich', 'Was geschah'],
    noHistory: 'Es ist noch nichts geschehen.',
    historyAbout: 'Das Neueste zuerst. E-Mails werden 90 Tage lang aufbewahrt.',
    earlier: (count) => `${count} frühere Einträge anzeigen`,
    signIn: 'Anmeldung',
    lastSignIn: 'Letzte Anmeldung',
    never: 'Keine Anmeldung in den letzten 180 Tagen.',
    corrections: 'Korrekturen',
    correctionHead: ['Wann (UTC)', 'Eintrag', 'Korrektur', 'Grund'],
    recordKinds: {
      course_result: 'Kursergebnis',
      policy_signature: 'Unterschrift',
      simulation_event: 'Ereignis einer Simulation',
      reported_message: 'Gemeldete Nachricht',
    },
    correctionActions: { void: 'für ungültig erklärt', replace: 'ersetzt', restore: 'wiederhergestellt' },
    noCorrections: 'Kein Eintrag dieser Person wurde korrigiert.',
  },
  fr: {
    all: 'Toutes les personnes',
    details: 'Informations',
    fields: {
      email: 'Adresse e-mail',
      externalLearnerId: 'Matricule',
      department: 'Service',
      jobTitle: 'Fonction',
      location: 'Lieu de travail',
      country: 'Pays',
      locale: 'Langue',
      timeZone: 'Fuseau horaire',
      manager: 'Responsable',
      groups: 'Groupes',
      absentUntil: 'En congé jusqu’au',
      state: 'État',
      createdAt: 'Ajout',
    },
    byDirectory: 'géré par votre annuaire',
    open: 'Tâches en cours',
    openHead: ['Cours ou politique', 'Échéance', 'Raison'],
    nothingOpen: 'Il n’y a aucune tâche en cours.',
    overdue: 'en retard',
    proposed: 'Recommandé par l’analyse des lacunes',
    proposedAbout: 'Cours sur les sujets comptant le moins de bonnes réponses.',
    proposedHead: ['Cours', 'Bonnes réponses', 'État'],
    proposalStates: { proposed: 'non inscrit', enrolled: 'inscrit', finished: 'terminé' },
    dueBecause: {
      days: 'échéance quelques jours après l’attribution',
      date: 'échéance à une date fixe',
      newcomer: 'délai plus long pour une nouvelle personne',
      return: 'délai plus long après une absence',
      extended: 'délai prolongé',
    },
    repeatedBecause: {
      afterCompletion: 'répété quelques mois après la dernière réussite',
      beforeExpiry: 'répété avant l’expiration du certificat',
      yearly: 'répété à la date anniversaire',
    },
    why: (campaign, because) => `${campaign} : ${because}`,
    mailed: (times) => (times === 1 ? 'un rappel' : `${times} rappels`),
    everyone: 'pour tout le monde',
    condition: 'remplit une condition de la campagne',
    risk: 'Risque',
    riskSince: (day) => `au ${day}`,
    noRisk: 'Le premier score sera calculé la nuit prochaine.',
    factors: {
      simulations: 'Simulations',
      courses: 'Formations',
      policies: 'Politiques',
      breaches: 'Fuites de données',
    },
    notCounted: 'non pris en compte',
    history: 'Historique',
    historyHead: ['Quand (UTC)', 'Domaine', 'Événement'],
    noHistory: 'Il ne s’est encore rien passé.',
    historyAbout: 'Du plus récent au plus ancien. Les e-mails sont conservés 90 jours.',
    earlier: (count) => `Afficher ${count} événements antérieurs`,
    signIn: 'Connexion',
    lastSignIn: 'Dernière connexion',
    never: 'Aucune connexion au cours des 180 derniers jours.',
    corrections: 'Corrections',
    correctionHead: ['Quand (UTC)', 'Enregistrement', 'Correction', 'Raison'],
    recordKinds: {
      course_result: 'Résultat d’un cours',
      policy_signature: 'Signature',
      simulation_event: 'Événement d’une simulation',
      reported_message: 'Message signalé',
    },
    correctionActions: { void: 'annulé', replace: 'remplacé', restore: 'rétabli' },
    noCorrections: 'Aucun enregistrement de cette personne n’a été corrigé.',
  },
};
