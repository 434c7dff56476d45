import type { Language } from '../../../contract/languages.ts';
import type { Notices } from '../../shared/parts/notice.ts';

/** Texts of the pages about schedules of the board report. */
export interface BoardSchedulesMessages {
  title: string;
  about: string;
  none: string;
  create: string;
  createTitle: string;
  name: string;
  nameHint: string;
  language: string;
  languages: Record<Language, string>;
  period: string;
  periods: Readonly<Record<string, string>>;
  day: string;
  dayHint: string;
  month: string;
  monthHint: string;
  recipients: string;
  recipientsHint: string;
  recipientsFault: string;
  dayFault: string;
  next: string;
  paused: string;
  last: string;
  never: string;
  save: string;
  pause: string;
  resume: string;
  sendNow: string;
  sendHint: string;
  edit: string;
  editTitle: string;
  remove: string;
  removeTitle: string;
  removeAbout(name: string): string;
  cancel: string;
  back: string;
  unsubscribed: string;
  receives: string;
  state: string;
  address: string;
  deliveries: string;
  noDeliveries: string;
  reportPeriod: string;
  queuedOn: string;
  requested: string;
  statuses: Readonly<Record<string, string>>;
  notices: Notices;
}

const languages = { en: 'English', de: 'Deutsch', fr: 'Français' };

export const boardSchedulesMessages: Record<Language, BoardSchedulesMessages> = {
  en: {
    title: 'Board report by e-mail',
    about: 'The report for the board is sent as a PDF to the people whom you name. They need no account.',
    none: 'The report is not sent to anybody yet.',
    create: 'New schedule',
    createTitle: 'Schedule the board report',
    name: 'Name',
    nameHint: 'Recipients see it in the mail.',
    language: 'Language',
    languages,
    period: 'How often',
    periods: { month: 'Every month', quarter: 'Every quarter', year: 'Every year' },
    day: 'Day of the month',
    dayHint: 'From 1 to 28. The report is sent in the morning and covers the period that ends on this day.',
    month: 'Month',
    monthHint: 'The month of a yearly report, or one of the months of a quarterly report.',
    recipients: 'Recipients',
    recipientsHint:
      'One person per line, such as “Grace Hopper <grace.hopper@example.org>”; at most 20. Each address must belong to an active admin or learner, or be in a domain of your company.',
    recipientsFault:
      'Enter one to twenty people, each with a name and an address, and no address twice. Other domains than those of your company are only possible for active admins and learners.',
    dayFault: 'Enter a day from 1 to 28.',
    next: 'Next report',
    paused: 'Paused',
    last: 'Last report',
    never: 'None yet',
    save: 'Save',
    pause: 'Pause',
    resume: 'Resume',
    sendNow: 'Send it to me now',
    sendHint: 'You get the report of the period that ends today. Nobody else does.',
    edit: 'Edit the schedule',
    editTitle: 'Edit the schedule',
    remove: 'Delete the schedule',
    removeTitle: 'Delete the schedule?',
    removeAbout: (name) =>
      `“${name}” sends nothing more, and the record of its mails is deleted. Pause the schedule instead to keep the record.`,
    cancel: 'Cancel',
    back: 'All schedules',
    unsubscribed: 'Unsubscribed',
    receives: 'Receives the report',
    state: 'Status',
    address: 'E-mail address',
    deliveries: 'Sent reports',
    noDeliveries: 'Nothing has been sent yet.',
    reportPeriod: 'Period',
    queuedOn: 'Date',
    requested: 'requested by an admin',
    statuses: { queued: 'Waiting', sent: 'Sent', failed: 'Failed', cancelled: 'Cancelled' },
    notices: {
      created: 'The schedule is saved.',
      saved: 'The schedule is saved.',
      paused: 'The schedule is paused.',
      resumed: 'The schedule is resumed.',
      requested: 'The report is on its way to you.',
      removed: 'The schedule is deleted.',
      conflict: 'Somebody else has changed the schedule in the meantime. Check it, and make your change again.',
    },
  },
  de: {
    title: 'Bericht für die Geschäftsleitung per E-Mail',
    about:
      'Der Bericht für die Geschäftsleitung geht als PDF an die Personen, die Sie angeben. Sie brauchen kein Konto.',
    none: 'Der Bericht wird noch an niemanden verschickt.',
    create: 'Neuer Zeitplan',
    createTitle: 'Versand des Berichts planen',
    name: 'Name',
    nameHint: 'Er steht in der E-Mail an die Empfänger.',
    language: 'Sprache',
    languages,
    period: 'Wie oft',
    periods: { month: 'Jeden Monat', quarter: 'Jedes Quartal', year: 'Jedes Jahr' },
    day: 'Tag im Monat',
    dayHint: 'Von 1 bis 28. Der Bericht wird morgens verschickt und deckt den Zeitraum ab, der an diesem Tag endet.',
    month: 'Monat',
    monthHint: 'Der Monat eines jährlichen Berichts oder einer der Monate eines vierteljährlichen.',
    recipients: 'Empfänger',
    recipientsHint:
      'Eine Person pro Zeile, zum Beispiel „Grace Hopper <grace.hopper@example.org>“; höchstens 20. Jede Adresse muss zu einem aktiven Administrator oder Lernenden gehören oder in einer Domain Ihres Unternehmens liegen.',
    recipientsFault:
      'Geben Sie eine bis zwanzig Personen mit Name und Adresse an, und keine Adresse doppelt. Adressen außerhalb der Domains Ihres Unternehmens sind nur für aktive Administratoren und Lernende möglich.',
    dayFault: 'Geben Sie einen Tag von 1 bis 28 an.',
    next: 'Nächster Bericht',
    paused: 'Angehalten',
    last: 'Letzter Bericht',
    never: 'Noch keiner',
    save: 'Speichern',
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    sendNow: 'Jetzt an mich senden',
    sendHint: 'Sie erhalten den Bericht über den Zeitraum, der heute endet. Sonst erhält ihn niemand.',
    edit: 'Zeitplan bearbeiten',
    editTitle: 'Zeitplan bearbeiten',
    remove: 'Zeitplan löschen',
    removeTitle: 'Zeitplan löschen?',
    removeAbout: (name) =>
      `„${name}“ verschickt nichts mehr, und die Liste der verschickten E-Mails wird gelöscht. Halten Sie den Zeitplan stattdessen an, wenn Sie die Liste behalten möchten.`,
    cancel: 'Abbrechen',
    back: 'Alle Zeitpläne',
    unsubscribed: 'Abbestellt',
    receives: 'Erhält den Bericht',
    state: 'Status',
    address: 'E-Mail-Adresse',
    deliveries: 'Verschickte Berichte',
    noDeliveries: 'Es wurde noch nichts verschickt.',
    reportPeriod: 'Zeitraum',
    queuedOn: 'Datum',
    requested: 'von einem Administrator angefordert',
    statuses: { queued: 'Wartet', sent: 'Gesendet', failed: 'Fehlgeschlagen', cancelled: 'Abgebrochen' },
    notices: {
      created: 'Der Zeitplan ist gespeichert.',
      saved: 'Der Zeitplan ist gespeichert.',
      paused: 'Der Zeitplan ist angehalten.',
      resumed: 'Der Zeitplan läuft wieder.',
      requested: 'Der Bericht ist unterwegs zu Ihnen.',
      removed: 'Der Zeitplan ist gelöscht.',
      conflict:
        'Jemand anderes hat den Zeitplan inzwischen geändert. Prüfen Sie ihn, und nehmen Sie Ihre Änderung noch einmal vor.',
    },
  },
  fr: {
    title: 'Rapport pour la direction par e-mail',
    about:
      'Le rapport pour la direction est envoyé en PDF aux personnes que vous indiquez. Elles n’ont pas besoin de compte.',
    none: 'Le rapport n’est encore envoyé à personne.',
    create: 'Nouvel envoi',
    createTitle: 'Programmer l’envoi du rapport',
    name: 'Nom',
    nameHint: 'Les destinataires le voient dans l’e-mail.',
    language: 'Langue',
    languages,
    period: 'Fréquence',
    periods: { month: 'Chaque mois', quarter: 'Chaque trimestre', year: 'Chaque année' },
    day: 'Jour du mois',
    dayHint: 'De 1 à 28. Le rapport part le matin et couvre la période qui se termine ce jour-là.',
    month: 'Mois',
    monthHint: 'Le mois d’un rapport annuel, ou l’un des mois d’un rapport trimestriel.',
    recipients: 'Destinataires',
    recipientsHint:
      'Une personne par ligne, par exemple « Grace Hopper <grace.hopper@example.org> » ; 20 au plus. Chaque adresse doit appartenir à un membre actif de l’administration ou à un apprenant actif, ou à un domaine de votre entreprise.',
    recipientsFault:
      'Indiquez une à vingt personnes, chacune avec un nom et une adresse, sans répéter d’adresse. En dehors des domaines de votre entreprise, seules les adresses de membres actifs de l’administration et d’apprenants actifs sont possibles.',
    dayFault: 'Indiquez un jour de 1 à 28.',
    next: 'Prochain rapport',
    paused: 'Suspendu',
    last: 'Dernier rapport',
    never: 'Aucun pour l’instant',
    save: 'Enregistrer',
    pause: 'Suspendre',
    resume: 'Reprendre',
    sendNow: 'Me l’envoyer maintenant',
    sendHint: 'Vous recevez le rapport de la période qui se termine aujourd’hui. Personne d’autre ne le reçoit.',
    edit: 'Modifier l’envoi',
    editTitle: 'Modifier l’envoi',
    remove: 'Supprimer l’envoi',
    removeTitle: 'Supprimer l’envoi ?',
    removeAbout: (name) =>
      `« ${name} » n’enverra plus rien, et la liste de ses e-mails sera supprimée. Pour garder la liste, suspendez plutôt l’envoi.`,
    cancel: 'Annuler',
    back: 'Tous les envois',
    unsubscribed: 'Désabonné',
    receives: 'Reçoit le rapport',
    state: 'État',
    address: 'Adresse e-mail',
    deliveries: 'Rapports envoyés',
    noDeliveries: 'Rien n’a encore été envoyé.',
    reportPeriod: 'Période',
    queuedOn: 'Date',
    requested: 'demandé par l’administration',
    statuses: { queued: 'En attente', sent: 'Envoyé', failed: 'Échec', cancelled: 'Annulé' },
    notices: {
      created: 'L’envoi est enregistré.',
      saved: 'L’envoi est enregistré.',
      paused: 'L’envoi est suspendu.',
      resumed: 'L’envoi reprend.',
      requested: 'Le rapport vous est envoyé.',
      removed: 'L’envoi est supprimé.',
      conflict: 'Une autre personne a modifié cet envoi entre-temps. Vérifiez-le, puis refaites votre modification.',
    },
  },
};
