import type { Language } from '../../../contract/languages.ts';

/** Texts of the figure about breaches by month. The caller passes numbers and dates already formatted. */
export interface BreachFigureMessages {
  title: string;
  none: string;
  unwatched: string;
  unavailable: (domains: string) => string;
  text: (count: number, written: string) => string;
  earlier: (count: number, written: string) => string;
  cut: (read: number) => string;
  head: readonly [month: string, services: string, accounts: string];
  caption: string;
}

export const breachFigureMessages: Record<Language, BreachFigureMessages> = {
  en: {
    title: 'Breaches by month',
    none: 'No account at the monitored domains was found in a known breach.',
    unwatched: 'No domain is monitored yet. The operator of the service adds the domains.',
    unavailable: (domains) => `The breach feed has no information about ${domains} at the moment.`,
    text: (count, written) =>
      count === 1
        ? 'One exposed account in the last 24 months.'
        : `${written} exposed accounts in the last 24 months, by the month of the breach.`,
    earlier: (count, written) => (count === 1 ? 'One more is older.' : `${written} more are older.`),
    cut: (read) => `Only the ${read} newest breaches are counted here.`,
    head: ['Month', 'Breached services', 'Exposed accounts'],
    caption: 'Exposed accounts by the month of the breach',
  },
  de: {
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
  fr: {
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
};
