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
    about: 'The report for the board is sent as a PDF to the people you choose. They do not need an account.',
    none: 'Nobody receives the report yet.',
    create: 'New schedule',
    createTitle: 'Schedule the board report',
    name: 'Name',
    nameHint: 'Recipients see it in the e-mail.',
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
      'Enter one to twenty people, each with a name and a different address. Addresses outside the domains of your company must belong to active admins or learners.',
    dayFault: 'Enter a day from 1 to 28.',
    next: 'Next report',
    paused: 'Paused',
    last: 'Last report',
    never: 'None yet',
    save: 'Save',
    pause: 'Pause',
    resume: 'Resume',
    sendNow: 'Send it to me now',
    sendHint: 'You receive the report for the period that ends today. Nobody else receives it.',
    edit: 'Edit the schedule',
    editTitle: 'Edit the schedule',
    remove: 'Delete the schedule',
    removeTitle: 'Delete the schedule?',
    removeAbout: (name) =>
      `“${name}” will send no more reports, and the list of its e-mails will be deleted. To keep the list, pause the schedule instead.`,
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
      created: 'The schedule has been saved.',
      saved: 'The schedule has been saved.',
      paused: 'The schedule has been paused.',
      resumed: 'The schedule has been resumed.',
      requested: 'The report is on its way to you.',
      removed: 'The schedule has been deleted.',
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
    nameHint: 'Die Empfänger sehen ihn in der E-Mail.',
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
      'Geben Sie eine bis zwanzig Personen mit Name und Adresse an, jede Adresse nur einmal. Adressen außerhalb der Domains Ihres Unternehmens müssen aktiven Administratoren oder Lernenden gehören.',
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
      `„${name}“ verschickt keine Berichte mehr, und die Liste der verschickten E-Mails wird gelöscht. Wenn Sie die Liste behalten möchten, halten Sie den Zeitplan stattdessen an.`,
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
      created: 'Der Zeitplan wurde gespeichert.',
      saved: 'Der Zeitplan wurde gespeichert.',
      paused: 'Der Zeitplan wurde angehalten.',
      resumed: 'Der Zeitplan läuft wieder.',
      requested: 'Der Bericht ist unterwegs zu Ihnen.',
      removed: 'Der Zeitplan wurde gelöscht.',
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
    sendHint: 'Vous recevrez le rapport de la période qui se termine aujourd’hui. Personne d’autre ne le recevra.',
    edit: 'Modifier l’envoi',
    editTitle: 'Modifier l’envoi',
    remove: 'Supprimer l’envoi',
    removeTitle: 'Supprimer l’envoi ?',
    removeAbout: (name) =>
      `« ${name} » n’enverra plus de rapport, et la liste de ses e-mails sera supprimée. Pour garder la liste, suspendez plutôt l’envoi.`,
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
      created: 'L’envoi a été enregistré.',
      saved: 'L’envoi a été enregistré.',
      paused: 'L’envoi a été suspendu.',
      resumed: 'L’envoi a repris.',
      requested: 'Le rapport est en route.',
      removed: 'L’envoi a été supprimé.',
      conflict: 'Une autre personne a modifié cet envoi entre-temps. Vérifiez-le, puis refaites votre modification.',
    },
  },
};
