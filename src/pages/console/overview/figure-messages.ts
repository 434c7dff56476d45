import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';

/** What the figures of the overview say. Numbers and dates come written out. */
export interface FigureMessages {
  asTable: string;
  sameByApi: string;
  missing: Record<'module' | 'scope' | 'now', string>;
  levels: Record<Schemas['RiskScoreLevel'], string>;
  risk: {
    title: string;
    none: string;
    first: (day: string, score: string, level: string) => string;
    change: (from: { day: string; score: string }, to: { day: string; score: string; level: string }) => string;
    head: readonly [day: string, score: string, learners: string];
    caption: string;
  };
  groups: {
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
  };
  simulations: {
    title: string;
    none: string;
    all: string;
    stages: readonly [sent: string, opened: string, visited: string, compromised: string];
    reported: string;
    text: (counts: { reported: string; compromised: string; sent: string }) => string;
    opens: string;
    head: string;
    caption: string;
  };
  breaches: {
    title: string;
    none: string;
    unwatched: string;
    unavailable: (domains: string) => string;
    text: (count: number, written: string) => string;
    earlier: (count: number, written: string) => string;
    cut: (read: number) => string;
    head: readonly [month: string, services: string, accounts: string];
    caption: string;
  };
}

export const figureMessages: Record<Language, FigureMessages> = {
  en: {
    asTable: 'As a table',
    sameByApi: 'The same figures by the API:',
    missing: {
      module: 'This is not part of the plan.',
      scope: 'You may not read this.',
      now: 'This cannot be read at the moment. Please try again in a minute.',
    },
    levels: { low: 'low', moderate: 'moderate', high: 'high', critical: 'critical' },
    risk: {
      title: 'Risk over time',
      none: 'The risk is recorded each night. The first day appears here tomorrow.',
      first: (day, score, level) => `The mean risk score on ${day} was ${score} (${level}).`,
      change: (from, to) =>
        `The mean risk score was ${from.score} on ${from.day} and ${to.score} (${to.level}) on ${to.day}. Lower is better; from 50 on it is high.`,
      head: ['Day', 'Mean score', 'Learners'],
      caption: 'Risk score of the company by day, and learners at each level',
    },
    groups: {
      title: 'Training and policies by group',
      none: 'There are no groups yet. The table has the company as a whole.',
      training: 'Training finished',
      policies: 'Policies signed',
      text: (drawn) =>
        drawn === 1
          ? 'Upper bar: training finished. Lower bar: policies signed.'
          : `The ${drawn} largest groups. Upper bar: training finished. Lower bar: policies signed.`,
      cut: (read) => `Only the first ${read} groups are read here.`,
      nothing: 'none',
      head: ['Group', 'Learners', 'Mean risk', 'Training finished', 'Policies signed'],
      caption: 'Training and policies by group',
      company: 'Whole company',
    },
    simulations: {
      title: 'Phishing simulations',
      none: 'No simulation has sent a message yet.',
      all: 'All simulations',
      stages: ['Sent', 'Opened', 'Visited', 'Gave data'],
      reported: 'Reported',
      text: ({ reported, compromised, sent }) =>
        `Of ${sent} messages, ${compromised} led somebody to give data away, and ${reported} were reported.`,
      opens: 'Mail programs open messages by themselves, so opened ones say little.',
      head: 'Simulation',
      caption: 'What recipients did with the messages of each simulation',
    },
    breaches: {
      title: 'Breaches by month',
      none: 'No account of the watched domains was found in a known breach.',
      unwatched: 'No domain is watched yet. The operator of the service enters the domains.',
      unavailable: (domains) => `The breach feed does not answer about ${domains}.`,
      text: (count, written) =>
        count === 1
          ? 'One exposed account in the last 24 months.'
          : `${written} exposed accounts in the last 24 months, by the month of the breach.`,
      earlier: (count, written) => (count === 1 ? 'One more is older.' : `${written} more are older.`),
      cut: (read) => `Only the ${read} newest breaches are counted here.`,
      head: ['Month', 'Breached services', 'Exposed accounts'],
      caption: 'Exposed accounts by the month of the breach',
    },
  },
  de: {
    asTable: 'Als Tabelle',
    sameByApi: 'Dieselben Zahlen über die API:',
    missing: {
      module: 'Das gehört nicht zum gebuchten Umfang.',
      scope: 'Sie dürfen das nicht lesen.',
      now: 'Das lässt sich gerade nicht lesen. Bitte versuchen Sie es in einer Minute noch einmal.',
    },
    levels: { low: 'niedrig', moderate: 'mäßig', high: 'hoch', critical: 'kritisch' },
    risk: {
      title: 'Risiko im Zeitverlauf',
      none: 'Das Risiko wird jede Nacht festgehalten. Der erste Tag erscheint hier morgen.',
      first: (day, score, level) => `Der mittlere Risikowert lag am ${day} bei ${score} (${level}).`,
      change: (from, to) =>
        `Der mittlere Risikowert lag am ${from.day} bei ${from.score} und am ${to.day} bei ${to.score} (${to.level}). Niedriger ist besser; ab 50 ist er hoch.`,
      head: ['Tag', 'Mittlerer Wert', 'Lernende'],
      caption: 'Risikowert des Unternehmens nach Tagen, und Lernende je Stufe',
    },
    groups: {
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
    simulations: {
      title: 'Phishing-Simulationen',
      none: 'Noch hat keine Simulation eine Nachricht versandt.',
      all: 'Alle Simulationen',
      stages: ['Versandt', 'Geöffnet', 'Besucht', 'Daten gegeben'],
      reported: 'Gemeldet',
      text: ({ reported, compromised, sent }) =>
        `Bei ${compromised} von ${sent} Nachrichten wurden Daten preisgegeben; ${reported} wurden gemeldet.`,
      opens: 'Mailprogramme öffnen Nachrichten von selbst, daher sagt „geöffnet“ wenig aus.',
      head: 'Simulation',
      caption: 'Was Empfänger mit den Nachrichten jeder Simulation getan haben',
    },
    breaches: {
      title: 'Datenlecks nach Monaten',
      none: 'Kein Konto der überwachten Domains wurde in einem bekannten Datenleck gefunden.',
      unwatched: 'Noch wird keine Domain überwacht. Der Betreiber des Dienstes trägt die Domains ein.',
      unavailable: (domains) => `Die Quelle der Datenlecks gibt über ${domains} keine Auskunft.`,
      text: (count, written) =>
        count === 1
          ? 'Ein betroffenes Konto in den letzten 24 Monaten.'
          : `${written} betroffene Konten in den letzten 24 Monaten, nach dem Monat des Datenlecks.`,
      earlier: (count, written) => (count === 1 ? 'Ein weiteres ist älter.' : `${written} weitere sind älter.`),
      cut: (read) => `Hier werden nur die ${read} neuesten Datenlecks gezählt.`,
      head: ['Monat', 'Betroffene Dienste', 'Betroffene Konten'],
      caption: 'Betroffene Konten nach dem Monat des Datenlecks',
    },
  },
  fr: {
    asTable: 'Sous forme de tableau',
    sameByApi: 'Les mêmes chiffres par l’API :',
    missing: {
      module: 'Cela ne fait pas partie de votre offre.',
      scope: 'Vous n’êtes pas autorisé(e) à lire cela.',
      now: 'Lecture impossible pour le moment. Veuillez réessayer dans une minute.',
    },
    levels: { low: 'faible', moderate: 'modéré', high: 'élevé', critical: 'critique' },
    risk: {
      title: 'Le risque au fil du temps',
      none: 'Le risque est enregistré chaque nuit. Le premier jour apparaîtra ici demain.',
      first: (day, score, level) => `Le score de risque moyen était de ${score} (${level}) le ${day}.`,
      change: (from, to) =>
        `Le score de risque moyen était de ${from.score} le ${from.day} et de ${to.score} (${to.level}) le ${to.day}. Plus il est bas, mieux c’est ; à partir de 50, il est élevé.`,
      head: ['Jour', 'Score moyen', 'Apprenants'],
      caption: 'Score de risque de l’entreprise par jour, et apprenants à chaque niveau',
    },
    groups: {
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
    simulations: {
      title: 'Simulations de phishing',
      none: 'Aucune simulation n’a encore envoyé de message.',
      all: 'Toutes les simulations',
      stages: ['Envoyés', 'Ouverts', 'Page visitée', 'Données livrées'],
      reported: 'Signalés',
      text: ({ reported, compromised, sent }) =>
        `Sur ${sent} messages, ${compromised} ont conduit quelqu’un à livrer des données, et ${reported} ont été signalés.`,
      opens: 'Les logiciels de messagerie ouvrent des messages d’eux-mêmes : « ouvert » en dit peu.',
      head: 'Simulation',
      caption: 'Ce que les destinataires ont fait des messages de chaque simulation',
    },
    breaches: {
      title: 'Fuites de données par mois',
      none: 'Aucun compte des domaines surveillés n’a été trouvé dans une fuite connue.',
      unwatched: 'Aucun domaine n’est encore surveillé. L’exploitant du service saisit les domaines.',
      unavailable: (domains) => `La source des fuites ne répond pas au sujet de ${domains}.`,
      text: (count, written) =>
        count === 1
          ? 'Un compte exposé au cours des 24 derniers mois.'
          : `${written} comptes exposés au cours des 24 derniers mois, selon le mois de la fuite.`,
      earlier: (count, written) => (count === 1 ? 'Un autre est plus ancien.' : `${written} autres sont plus anciens.`),
      cut: (read) => `Seules les ${read} fuites les plus récentes sont comptées ici.`,
      head: ['Mois', 'Services touchés', 'Comptes exposés'],
      caption: 'Comptes exposés selon le mois de la fuite',
    },
  },
};
