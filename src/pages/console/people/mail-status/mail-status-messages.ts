import type { Language } from '../../../../contract/languages.ts';

type Status = 'deliverable' | 'bouncing' | 'undeliverable';
type Class = 'hard' | 'soft' | 'blocked';
type Reason =
  ('mailbox_unknown' | 'domain_unknown' | 'mailbox_disabled' | 'mailbox_full') | ('unreachable' | 'blocked' | 'other');

/** Texts about whether email reaches a person. */
export interface MailStatusMessages {
  title: string;
  /** Explanation of each status of the address; a deliverable address needs none. */
  about: Record<Exclude<Status, 'deliverable'>, (reason: string) => string>;
  statuses: Record<Status, string>;
  classes: Record<Class, string>;
  reasons: Record<Reason, string>;
  caption: string;
  head: readonly [time: string, result: string, reason: string, code: string, address: string];
  presentAddress: string;
  formerAddress: string;
  clear: string;
  clearAbout: string;
  cleared: string;
}

export const mailStatusMessages: Record<Language, MailStatusMessages> = {
  en: {
    title: 'Mail delivery',
    about: {
      bouncing: (reason) =>
        `The last message did not arrive: ${reason}. Messages are sent as before. Two weeks without a further failure make the address deliverable again.`,
      undeliverable: (reason) =>
        `Messages do not arrive: ${reason}. This person gets no messages about training and no simulations, until the address is changed or you mark it as deliverable.`,
    },
    statuses: { deliverable: 'deliverable', bouncing: 'last message failed', undeliverable: 'undeliverable' },
    classes: { hard: 'permanent failure', soft: 'temporary failure', blocked: 'rejected' },
    reasons: {
      mailbox_unknown: 'there is no such mailbox',
      domain_unknown: 'the domain accepts no mail',
      mailbox_disabled: 'the mailbox is disabled',
      mailbox_full: 'the mailbox is full',
      unreachable: 'the mail server did not respond',
      blocked: 'the mail server rejects the message or its sender',
      other: 'the mail server gave no clear reason',
    },
    caption: 'Messages that did not arrive',
    head: ['Time', 'Result', 'Reason', 'Code', 'Address'],
    presentAddress: 'current address',
    formerAddress: 'former address',
    clear: 'Mark as deliverable',
    clearAbout: 'Do this when the mailbox works again. Messages that were held back are not sent later.',
    cleared: 'The address is marked as deliverable again.',
  },
  de: {
    title: 'Zustellung von E-Mails',
    about: {
      bouncing: (reason) =>
        `Die letzte Nachricht kam nicht an: ${reason}. Nachrichten werden weiterhin verschickt. Nach zwei Wochen ohne weiteren Fehler gilt die Adresse wieder als erreichbar.`,
      undeliverable: (reason) =>
        `Nachrichten kommen nicht an: ${reason}. Diese Person erhält keine Nachrichten zu Schulungen und keine Simulationen, bis die Adresse geändert wird oder Sie sie als erreichbar markieren.`,
    },
    statuses: {
      deliverable: 'erreichbar',
      bouncing: 'letzte Nachricht kam nicht an',
      undeliverable: 'nicht erreichbar',
    },
    classes: { hard: 'dauerhafter Fehler', soft: 'vorübergehender Fehler', blocked: 'abgelehnt' },
    reasons: {
      mailbox_unknown: 'dieses Postfach gibt es nicht',
      domain_unknown: 'die Domain nimmt keine E-Mails an',
      mailbox_disabled: 'das Postfach ist deaktiviert',
      mailbox_full: 'das Postfach ist voll',
      unreachable: 'der Mailserver hat nicht geantwortet',
      blocked: 'der Mailserver lehnt die Nachricht oder den Absender ab',
      other: 'der Mailserver nannte keinen klaren Grund',
    },
    caption: 'Nachrichten, die nicht ankamen',
    head: ['Zeit', 'Ergebnis', 'Grund', 'Code', 'Adresse'],
    presentAddress: 'jetzige Adresse',
    formerAddress: 'frühere Adresse',
    clear: 'Als erreichbar markieren',
    clearAbout:
      'Tun Sie das, wenn das Postfach wieder funktioniert. Zurückgehaltene Nachrichten werden nicht nachgeschickt.',
    cleared: 'Die Adresse gilt wieder als erreichbar.',
  },
  fr: {
    title: 'Distribution des e-mails',
    about: {
      bouncing: (reason) =>
        `Le dernier message n’est pas arrivé : ${reason}. Les messages continuent d’être envoyés. Après deux semaines sans nouvel échec, l’adresse est de nouveau considérée comme joignable.`,
      undeliverable: (reason) =>
        `Les messages n’arrivent pas : ${reason}. Cette personne ne reçoit ni messages de formation ni simulations tant que l’adresse n’a pas été modifiée ou que vous ne l’avez pas marquée comme joignable.`,
    },
    statuses: {
      deliverable: 'joignable',
      bouncing: 'dernier message non distribué',
      undeliverable: 'injoignable',
    },
    classes: { hard: 'échec définitif', soft: 'échec temporaire', blocked: 'refusé' },
    reasons: {
      mailbox_unknown: 'cette boîte aux lettres n’existe pas',
      domain_unknown: 'le domaine n’accepte pas d’e-mails',
      mailbox_disabled: 'la boîte aux lettres est désactivée',
      mailbox_full: 'la boîte aux lettres est pleine',
      unreachable: 'le serveur de messagerie n’a pas répondu',
      blocked: 'le serveur de messagerie refuse le message ou son expéditeur',
      other: 'le serveur de messagerie n’a pas donné de raison claire',
    },
    caption: 'Messages non distribués',
    head: ['Date', 'Résultat', 'Raison', 'Code', 'Adresse'],
    presentAddress: 'adresse actuelle',
    formerAddress: 'ancienne adresse',
    clear: 'Marquer comme joignable',
    clearAbout:
      'Faites-le lorsque la boîte aux lettres fonctionne de nouveau. Les messages retenus ne sont pas envoyés après coup.',
    cleared: 'L’adresse est de nouveau considérée comme joignable.',
  },
};

/** Formats the mail status of a person; a value that is unknown to this release is shown unchanged. */
export function formatMailStatus(status: string, language: Language): string {
  return (mailStatusMessages[language].statuses as Record<string, string>)[status] ?? status;
}
