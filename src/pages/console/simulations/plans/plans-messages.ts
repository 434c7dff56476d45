import type { Language } from '../../../../contract/languages.ts';

/** Texts of the pages on which simulations are planned and watched. */
export interface PlansMessages {
  all: string;
  allAbout: string;
  newPlan: string;
  editTitle(name: string): string;
  none: string;
  list: string;
  head: readonly [name: string, status: string, sent: string, reported: string, clicked: string];
  statuses: Record<string, string>;
  next: string;
  first: string;
  name: string;
  nameHint: string;
  audience: string;
  everyone: string;
  chosenGroups: string;
  templates: string;
  window: string;
  startDate: string;
  endDate: string;
  hours: string;
  from: string;
  to: string;
  days: string;
  weekdays: readonly string[];
  timeZone: string;
  timeZoneHint: string;
  senderDomain: string;
  training: string;
  noTraining: string;
  save: string;
  fault(reason: string): string;
  changed: string;
  edit: string;
  remove: string;
  test: string;
  testAbout(email: string): string;
  schedule: string;
  scheduleAbout(count: string): string;
  stop: string;
  calendar: string;
  calendarAbout(count: string): string;
  calendarHead: readonly [day: string, messages: string, templates: string];
  messages: string;
  messagesHead: readonly [person: string, template: string, language: string, time: string];
  cannotSchedule(reason: string): string;
  results: string;
  refreshed: string;
  reported: string;
  firstReport: string;
  minutes(value: string): string;
  nobodyYet: string;
  clicked: string;
  opened: string;
  waiting: string;
  recipients: string;
  recipientsHead: readonly [person: string, sent: string, reported: string, clicked: string, settled: string];
  yes: string;
  no: string;
  domainMissing: string;
  notices: Record<'saved' | 'tested' | 'scheduled' | 'removed', string>;
}

export const plansMessages: Record<Language, PlansMessages> = {
  en: {
    all: 'All simulations',
    allAbout: 'All simulations of your organisation, including drafts and simulations of other systems, oldest first.',
    newPlan: 'Plan a simulation',
    editTitle: (name) => `Edit “${name}”`,
    none: 'There are no simulations yet.',
    list: 'Simulations',
    head: ['Name', 'Status', 'Sent', 'Reported', 'Link followed'],
    statuses: {
      draft: 'draft',
      scheduled: 'scheduled',
      running: 'running',
      completed: 'completed',
      cancelled: 'cancelled',
    },
    next: 'Next page',
    first: 'First page',
    name: 'Name',
    nameHint: 'Recipients do not see it.',
    audience: 'Who gets a message',
    everyone: 'Everyone',
    chosenGroups: 'The members of these groups',
    templates: 'Templates: with several, each person gets one at random',
    window: 'When',
    startDate: 'First day',
    endDate: 'Last day',
    hours: 'Hours',
    from: 'Sent from',
    to: 'Sent until',
    days: 'Weekdays',
    weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    timeZone: 'Time zone',
    timeZoneHint: 'Such as Europe/London.',
    senderDomain: 'Domain of the sender',
    training: 'Training for people who follow the link',
    noTraining: 'None',
    save: 'Save the draft',
    fault: (reason) => `Please correct this: ${reason}.`,
    changed:
      'Somebody else has changed the draft in the meantime. Reload the page to see it, and enter your change again.',
    edit: 'Edit',
    remove: 'Delete the draft',
    test: 'Send me a test',
    testAbout: (email) => `The test goes to ${email}. Nothing is counted.`,
    schedule: 'Schedule',
    scheduleAbout: (count) =>
      `Scheduling determines who gets which message and when, for ${count} people. After that, the simulation can only be stopped.`,
    stop: 'Stop the simulation',
    calendar: 'Calendar',
    calendarAbout: (count) => `${count} people get one message each.`,
    calendarHead: ['Day', 'Messages', 'Templates'],
    messages: 'The first messages',
    messagesHead: ['Person', 'Template', 'Language', 'Time (UTC)'],
    cannotSchedule: (reason) => `This draft cannot be scheduled yet: ${reason}`,
    results: 'Results',
    refreshed: 'The figures refresh themselves. If scripts are disabled, reload the page.',
    reported: 'Reported',
    firstReport: 'Time to the first report',
    minutes: (value) => `${value} min`,
    nobodyYet: 'nobody yet',
    clicked: 'Link followed',
    opened: 'Opened',
    waiting: 'Waiting',
    recipients: 'Recipients',
    recipientsHead: ['Person', 'Sent (UTC)', 'Reported (UTC)', 'Link followed (UTC)', 'Final'],
    yes: 'yes',
    no: 'no',
    domainMissing: 'The DNS record of your domain was not found. Publish it, and verify the domain first.',
    notices: {
      saved: 'The draft has been saved.',
      tested: 'The test is on its way to you.',
      scheduled: 'The simulation has been scheduled.',
      removed: 'The draft has been deleted.',
    },
  },
  de: {
    all: 'Alle Simulationen',
    allAbout:
      'Alle Simulationen Ihrer Organisation, auch Entwürfe und Simulationen anderer Systeme, die ältesten zuerst.',
    newPlan: 'Simulation planen',
    editTitle: (name) => `„${name}“ bearbeiten`,
    none: 'Es gibt noch keine Simulationen.',
    list: 'Simulationen',
    head: ['Name', 'Status', 'Versendet', 'Gemeldet', 'Link geöffnet'],
    statuses: {
      draft: 'Entwurf',
      scheduled: 'geplant',
      running: 'läuft',
      completed: 'beendet',
      cancelled: 'abgebrochen',
    },
    next: 'Nächste Seite',
    first: 'Erste Seite',
    name: 'Name',
    nameHint: 'Empfänger sehen ihn nicht.',
    audience: 'Wer eine Nachricht bekommt',
    everyone: 'Alle',
    chosenGroups: 'Die Mitglieder dieser Gruppen',
    templates: 'Vorlagen: Bei mehreren bekommt jede Person eine zufällige',
    window: 'Wann',
    startDate: 'Erster Tag',
    endDate: 'Letzter Tag',
    hours: 'Uhrzeiten',
    from: 'Versand ab',
    to: 'Versand bis',
    days: 'Wochentage',
    weekdays: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'],
    timeZone: 'Zeitzone',
    timeZoneHint: 'Zum Beispiel Europe/Berlin.',
    senderDomain: 'Domain des Absenders',
    training: 'Schulung für alle, die den Link öffnen',
    noTraining: 'Keine',
    save: 'Entwurf speichern',
    fault: (reason) => `Bitte korrigieren (Meldung der API: ${reason}).`,
    changed:
      'Jemand anderes hat den Entwurf inzwischen geändert. Laden Sie die Seite neu, um die Änderung zu sehen, und geben Sie Ihre noch einmal ein.',
    edit: 'Bearbeiten',
    remove: 'Entwurf löschen',
    test: 'Test an mich senden',
    testAbout: (email) => `Der Test geht an ${email}. Er wird nirgends gezählt.`,
    schedule: 'Einplanen',
    scheduleAbout: (count) =>
      `Damit steht für ${count} Personen fest, wer wann welche Nachricht bekommt. Danach lässt sich die Simulation nur noch stoppen.`,
    stop: 'Simulation stoppen',
    calendar: 'Kalender',
    calendarAbout: (count) => `${count} Personen bekommen je eine Nachricht.`,
    calendarHead: ['Tag', 'Nachrichten', 'Vorlagen'],
    messages: 'Die ersten Nachrichten',
    messagesHead: ['Person', 'Vorlage', 'Sprache', 'Zeit (UTC)'],
    cannotSchedule: (reason) => `Dieser Entwurf lässt sich noch nicht einplanen (Meldung der API: ${reason})`,
    results: 'Ergebnisse',
    refreshed: 'Die Zahlen aktualisieren sich von selbst. Ohne Skript laden Sie die Seite neu.',
    reported: 'Gemeldet',
    firstReport: 'Zeit bis zur ersten Meldung',
    minutes: (value) => `${value} Min.`,
    nobodyYet: 'noch niemand',
    clicked: 'Link geöffnet',
    opened: 'Nachricht geöffnet',
    waiting: 'Ausstehend',
    recipients: 'Empfänger',
    recipientsHead: ['Person', 'Versendet (UTC)', 'Gemeldet (UTC)', 'Link geöffnet (UTC)', 'Endgültig'],
    yes: 'ja',
    no: 'nein',
    domainMissing:
      'Der DNS-Eintrag Ihrer Domain wurde nicht gefunden. Veröffentlichen Sie ihn, und lassen Sie die Domain zuerst prüfen.',
    notices: {
      saved: 'Der Entwurf ist gespeichert.',
      tested: 'Der Test ist unterwegs zu Ihnen.',
      scheduled: 'Die Simulation ist eingeplant.',
      removed: 'Der Entwurf ist gelöscht.',
    },
  },
  fr: {
    all: 'Toutes les simulations',
    allAbout:
      'Toutes les simulations de votre organisation, y compris les brouillons et celles d’autres systèmes, les plus anciennes d’abord.',
    newPlan: 'Préparer une simulation',
    editTitle: (name) => `Modifier « ${name} »`,
    none: 'Il n’y a pas encore de simulation.',
    list: 'Simulations',
    head: ['Nom', 'État', 'Envoyés', 'Signalés', 'Lien suivi'],
    statuses: {
      draft: 'brouillon',
      scheduled: 'prévue',
      running: 'en cours',
      completed: 'terminée',
      cancelled: 'annulée',
    },
    next: 'Page suivante',
    first: 'Première page',
    name: 'Nom',
    nameHint: 'Les destinataires ne le voient pas.',
    audience: 'Qui reçoit un message',
    everyone: 'Tout le monde',
    chosenGroups: 'Les membres de ces groupes',
    templates: 'Modèles : s’il y en a plusieurs, chaque personne en reçoit un au hasard',
    window: 'Quand',
    startDate: 'Premier jour',
    endDate: 'Dernier jour',
    hours: 'Heures',
    from: 'Envoi à partir de',
    to: 'Envoi jusqu’à',
    days: 'Jours de la semaine',
    weekdays: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
    timeZone: 'Fuseau horaire',
    timeZoneHint: 'Par exemple Europe/Paris.',
    senderDomain: 'Domaine de l’expéditeur',
    training: 'Formation pour les personnes qui suivent le lien',
    noTraining: 'Aucune',
    save: 'Enregistrer le brouillon',
    fault: (reason) => `Veuillez corriger (message de l’API : ${reason}).`,
    changed:
      'Quelqu’un d’autre a modifié le brouillon entre-temps. Rechargez la page pour le voir, puis saisissez de nouveau votre modification.',
    edit: 'Modifier',
    remove: 'Supprimer le brouillon',
    test: 'M’envoyer un test',
    testAbout: (email) => `Le test est envoyé à ${email}. Rien n’est compté.`,
    schedule: 'Programmer',
    scheduleAbout: (count) =>
      `Cela fixe qui reçoit quel message et quand, pour ${count} personnes. Ensuite, la simulation ne peut plus qu’être arrêtée.`,
    stop: 'Arrêter la simulation',
    calendar: 'Calendrier',
    calendarAbout: (count) => `${count} personnes reçoivent un message chacune.`,
    calendarHead: ['Jour', 'Messages', 'Modèles'],
    messages: 'Les premiers messages',
    messagesHead: ['Personne', 'Modèle', 'Langue', 'Heure (UTC)'],
    cannotSchedule: (reason) => `Ce brouillon ne peut pas encore être programmé (message de l’API : ${reason})`,
    results: 'Résultats',
    refreshed: 'Les chiffres s’actualisent d’eux-mêmes. Sans script, rechargez la page.',
    reported: 'Signalés',
    firstReport: 'Délai du premier signalement',
    minutes: (value) => `${value} min`,
    nobodyYet: 'personne encore',
    clicked: 'Lien suivi',
    opened: 'Ouverts',
    waiting: 'En attente',
    recipients: 'Destinataires',
    recipientsHead: ['Personne', 'Envoyé (UTC)', 'Signalé (UTC)', 'Lien suivi (UTC)', 'Définitif'],
    yes: 'oui',
    no: 'non',
    domainMissing:
      'L’enregistrement DNS de votre domaine n’a pas été trouvé. Publiez-le, puis faites vérifier le domaine.',
    notices: {
      saved: 'Le brouillon est enregistré.',
      tested: 'Le test est en route vers vous.',
      scheduled: 'La simulation est programmée.',
      removed: 'Le brouillon est supprimé.',
    },
  },
};
