import type { Language } from '../../../contract/languages.ts';

type Text = Record<
  | ('newTitle' | 'editTitle' | 'name' | 'nameHint' | 'content' | 'choose' | 'courses' | 'policies' | 'templates')
  | ('audience' | 'everyone' | 'keepAudience' | 'audienceHint' | 'start' | 'startHint' | 'startedHint' | 'due')
  | ('dueHint' | 'moreContent' | 'noContent' | 'narrower' | 'departments' | 'locations' | 'onePerLine' | 'countries')
  | ('countriesHint' | 'riskLevels' | 'exclusions' | 'excludedGroups' | 'excludedDepartments' | 'rounds' | 'recurrence')
  | (
      | 'once'
      | 'yearly'
      | 'afterCompletion'
      | 'beforeExpiry'
      | 'months'
      | 'reminders'
      | 'before'
      | 'after'
      | 'daysHint'
      | 'escalation'
    )
  | ('escalationHint' | 'text' | 'message' | 'messageHint' | 'replyName' | 'replyNameHint' | 'rules' | 'dueDate')
  | (
      | 'dueDateHint'
      | 'includeNewcomers'
      | 'keepOpenAfterLeaving'
      | 'leaveHint'
      | 'quietHint'
      | 'validityHint'
      | 'simulationHint'
      | 'preview'
    )
  | ('previewChange' | 'cancel' | 'changedMeanwhile' | 'gone' | 'locked'),
  string
>;

/** Texts of the campaign form. */
export interface CampaignFormMessages extends Text {
  /** Requirements of fields, by the field of the contract. */
  faults: Readonly<Record<string, string>>;
}

export const campaignFormMessages: Record<Language, CampaignFormMessages> = {
  en: {
    newTitle: 'Plan a campaign',
    editTitle: 'Edit the campaign',
    name: 'Name',
    nameHint: 'Learners see it in their messages.',
    content: 'Content',
    choose: 'Choose a course, a policy or a simulation',
    courses: 'Course',
    policies: 'Policy',
    templates: 'Simulation',
    audience: 'Audience',
    everyone: 'Everyone',
    keepAudience: 'The conditions set with the API',
    audienceHint: 'The audience is live: people who join the group later take part too.',
    start: 'Start',
    startHint: 'Leave it empty to start as soon as you have confirmed the preview.',
    startedHint: 'The campaign has started, so the day can no longer be changed.',
    due: 'Days until due',
    dueHint: 'Counted for each person from the day of the assignment.',
    moreContent: 'More content and simulations',
    noContent: 'There is no further content.',
    narrower: 'A narrower audience',
    departments: 'Only these departments',
    locations: 'Only these locations',
    onePerLine: 'One per line.',
    countries: 'Only these countries',
    countriesHint: 'Two-letter codes, separated by commas, such as GB, DE.',
    riskLevels: 'Only people at these risk levels',
    exclusions: 'Exclusions',
    excludedGroups: 'Without the members of these groups',
    excludedDepartments: 'Without these departments',
    rounds: 'Rounds',
    recurrence: 'Repeat',
    once: 'Once',
    yearly: 'Every year, on the anniversary of the start',
    afterCompletion: 'Some months after each person has finished',
    beforeExpiry: 'Before each person’s certificate expires',
    months: 'Months after finishing',
    reminders: 'Reminders',
    before: 'Days before the due day',
    after: 'Days after the due day',
    daysHint: 'Whole numbers, separated by commas. Leave it empty for none.',
    escalation: 'Tell managers after this many days overdue',
    escalationHint: 'Managers get one message each Monday about all campaigns. Leave it empty for none.',
    text: 'Text of the messages',
    message: 'Your own words',
    messageHint: 'At most 500 characters, such as “It takes ten minutes”.',
    replyName: 'Person for questions',
    replyNameHint: 'The name that the messages give.',
    rules: 'Due day, joining and leaving',
    dueDate: 'Due on a fixed day instead',
    dueDateHint: 'If you choose a day, the number of days above has no effect.',
    includeNewcomers: 'People who join the audience later take part',
    keepOpenAfterLeaving: 'People who leave the audience still have to finish',
    leaveHint: 'Newcomers have at least 14 days, or the days above if these are fewer.',
    quietHint:
      'Messages are sent from Monday to Friday between 9:00 and 17:00 where each person works, and never during a leave.',
    validityHint: 'How long a result counts is a property of the course.',
    simulationHint: 'Days on which no simulations are sent are part of the simulation settings.',
    preview: 'Save and preview',
    previewChange: 'Preview the changes',
    cancel: 'Cancel',
    changedMeanwhile:
      'Somebody has changed this campaign since you opened the form. Your entries are still here; open the campaign in another window to compare, then save again to overwrite those changes.',
    gone: 'This no longer exists. Please choose another.',
    locked: 'The campaign has started or ended, so this can no longer be changed.',
    faults: {
      name: 'Please enter a name of at most 200 ordinary characters.',
      items: 'Please choose content that exists, at most 20 different ones.',
      audience: 'Please check the audience: countries are two-letter codes, and each list has at most 20 entries.',
      startAt: 'Please choose a day.',
      due: 'Please enter 1 to 3,650 days, or a day after the start. It must be before the next round begins.',
      recurrence: 'Please enter 1 to 120 months.',
      reminders: 'Please enter at most ten different numbers from 1 to 365.',
      message: 'Please enter at most 500 ordinary characters.',
      replyName: 'Please enter a name of at most 200 ordinary characters.',
      escalation: 'Please enter 1 to 365 days.',
    },
  },
  de: {
    newTitle: 'Kampagne planen',
    editTitle: 'Kampagne bearbeiten',
    name: 'Name',
    nameHint: 'Lernende sehen ihn in ihren Nachrichten.',
    content: 'Inhalt',
    choose: 'Kurs, Richtlinie oder Simulation auswählen',
    courses: 'Kurs',
    policies: 'Richtlinie',
    templates: 'Simulation',
    audience: 'Zielgruppe',
    everyone: 'Alle',
    keepAudience: 'Die über die API festgelegten Bedingungen',
    audienceHint: 'Wer später in die Gruppe kommt, nimmt ebenfalls teil.',
    start: 'Beginn',
    startHint: 'Ohne Angabe beginnt die Kampagne, sobald Sie die Vorschau bestätigt haben.',
    startedHint: 'Die Kampagne hat begonnen, deshalb lässt sich der Tag nicht mehr ändern.',
    due: 'Tage bis zur Frist',
    dueHint: 'Die Tage zählen für jede Person ab dem Tag der Zuweisung.',
    moreContent: 'Weitere Inhalte und Simulationen',
    noContent: 'Es gibt keine weiteren Inhalte.',
    narrower: 'Zielgruppe einschränken',
    departments: 'Nur diese Abteilungen',
    locations: 'Nur diese Standorte',
    onePerLine: 'Ein Eintrag pro Zeile.',
    countries: 'Nur diese Länder',
    countriesHint: 'Codes aus zwei Buchstaben, durch Kommas getrennt, zum Beispiel DE, AT.',
    riskLevels: 'Nur Personen mit diesen Risikostufen',
    exclusions: 'Ausnahmen',
    excludedGroups: 'Ohne die Mitglieder dieser Gruppen',
    excludedDepartments: 'Ohne diese Abteilungen',
    rounds: 'Wiederholung',
    recurrence: 'Wiederholen',
    once: 'Nein',
    yearly: 'Jedes Jahr am Jahrestag des Beginns',
    afterCompletion: 'Einige Monate nach dem Abschluss jeder Person',
    beforeExpiry: 'Bevor das Zertifikat jeder Person abläuft',
    months: 'Monate nach dem Abschluss',
    reminders: 'Erinnerungen',
    before: 'Tage vor der Frist',
    after: 'Tage nach der Frist',
    daysHint: 'Ganze Zahlen, durch Kommas getrennt. Leer bedeutet: keine.',
    escalation: 'Vorgesetzte nach so vielen Tagen Verzug benachrichtigen',
    escalationHint: 'Vorgesetzte bekommen montags eine Nachricht über alle Kampagnen. Leer bedeutet: keine.',
    text: 'Text der Nachrichten',
    message: 'Eigener Text',
    messageHint: 'Höchstens 500 Zeichen, zum Beispiel „Es dauert zehn Minuten“.',
    replyName: 'Ansprechperson für Fragen',
    replyNameHint: 'Dieser Name steht in den Nachrichten.',
    rules: 'Frist, Zugänge und Abgänge',
    dueDate: 'Stattdessen ein fester Tag',
    dueDateHint: 'Wenn Sie einen Tag wählen, hat die Zahl der Tage oben keine Wirkung.',
    includeNewcomers: 'Wer später zur Zielgruppe stößt, nimmt teil',
    keepOpenAfterLeaving: 'Wer die Zielgruppe verlässt, muss Offenes noch erledigen',
    leaveHint: 'Neue haben mindestens 14 Tage Zeit, oder die Tage oben, falls es weniger sind.',
    quietHint:
      'Nachrichten gehen montags bis freitags zwischen 9:00 und 17:00 Uhr der Ortszeit jeder Person hinaus und nie während einer Abwesenheit.',
    validityHint: 'Wie lange ein Ergebnis zählt, ist eine Eigenschaft des Kurses.',
    simulationHint: 'Tage ohne Simulationen gehören zu den Einstellungen der Simulationen.',
    preview: 'Speichern und Vorschau zeigen',
    previewChange: 'Änderungen ansehen',
    cancel: 'Abbrechen',
    changedMeanwhile:
      'Jemand hat diese Kampagne geändert, seit Sie das Formular geöffnet haben. Ihre Eingaben sind noch da: Vergleichen Sie die Kampagne in einem anderen Fenster, und speichern Sie noch einmal, um sie zu ersetzen.',
    gone: 'Das gibt es nicht mehr. Bitte treffen Sie eine andere Wahl.',
    locked: 'Die Kampagne ist beendet oder hat begonnen, deshalb lässt sich das nicht mehr ändern.',
    faults: {
      name: 'Bitte geben Sie einen Namen aus höchstens 200 gewöhnlichen Zeichen ein.',
      items: 'Bitte wählen Sie vorhandene Inhalte, höchstens 20 verschiedene.',
      audience:
        'Bitte prüfen Sie die Zielgruppe: Länder sind Codes aus zwei Buchstaben, und jede Liste hat höchstens 20 Einträge.',
      startAt: 'Bitte wählen Sie einen Tag.',
      due: 'Bitte geben Sie 1 bis 3.650 Tage oder einen Tag nach dem Beginn an. Die Frist muss vor der nächsten Wiederholung enden.',
      recurrence: 'Bitte geben Sie 1 bis 120 Monate ein.',
      reminders: 'Bitte geben Sie höchstens zehn verschiedene Zahlen von 1 bis 365 ein.',
      message: 'Bitte geben Sie höchstens 500 gewöhnliche Zeichen ein.',
      replyName: 'Bitte geben Sie einen Namen aus höchstens 200 gewöhnlichen Zeichen ein.',
      escalation: 'Bitte geben Sie 1 bis 365 Tage ein.',
    },
  },
  fr: {
    newTitle: 'Préparer une campagne',
    editTitle: 'Modifier la campagne',
    name: 'Nom',
    nameHint: 'Les apprenants le voient dans leurs messages.',
    content: 'Contenu',
    choose: 'Choisissez un cours, une politique ou une simulation',
    courses: 'Cours',
    policies: 'Politique',
    templates: 'Simulation',
    audience: 'Destinataires',
    everyone: 'Tout le monde',
    keepAudience: 'Les conditions définies par l’API',
    audienceHint: 'Les personnes qui rejoignent le groupe plus tard participent aussi.',
    start: 'Début',
    startHint: 'Sans date, la campagne commence dès que vous avez confirmé l’aperçu.',
    startedHint: 'La campagne a commencé : cette date ne peut plus changer.',
    due: 'Délai en jours',
    dueHint: 'Compté pour chaque personne à partir du jour de l’attribution.',
    moreContent: 'Autres contenus et simulations',
    noContent: 'Il n’y a pas d’autre contenu.',
    narrower: 'Restreindre les destinataires',
    departments: 'Seulement ces services',
    locations: 'Seulement ces sites',
    onePerLine: 'Un par ligne.',
    countries: 'Seulement ces pays',
    countriesHint: 'Codes à deux lettres, séparés par des virgules, par exemple FR, BE.',
    riskLevels: 'Seulement les personnes à ces niveaux de risque',
    exclusions: 'Exclusions',
    excludedGroups: 'Sans les membres de ces groupes',
    excludedDepartments: 'Sans ces services',
    rounds: 'Répétition',
    recurrence: 'Répéter',
    once: 'Non',
    yearly: 'Chaque année, à l’anniversaire du début',
    afterCompletion: 'Quelques mois après que chaque personne a terminé',
    beforeExpiry: 'Avant l’expiration du certificat de chaque personne',
    months: 'Mois après la fin',
    reminders: 'Rappels',
    before: 'Jours avant l’échéance',
    after: 'Jours après l’échéance',
    daysHint: 'Des nombres entiers, séparés par des virgules. Laissez vide pour aucun.',
    escalation: 'Prévenir les responsables après ce nombre de jours de retard',
    escalationHint:
      'Les responsables reçoivent un message chaque lundi sur toutes les campagnes. Laissez vide pour aucun.',
    text: 'Texte des messages',
    message: 'Votre texte',
    messageHint: 'Au plus 500 caractères, par exemple « Cela prend dix minutes ».',
    replyName: 'Personne à contacter',
    replyNameHint: 'Le nom que donnent les messages.',
    rules: 'Échéance, arrivées et départs',
    dueDate: 'Plutôt une date fixe',
    dueDateHint: 'Si vous choisissez une date, le délai en jours ne compte plus.',
    includeNewcomers: 'Les personnes qui arrivent plus tard participent',
    keepOpenAfterLeaving: 'Les personnes qui quittent les destinataires doivent quand même terminer',
    leaveHint: 'Les nouveaux ont au moins 14 jours, ou le délai ci-dessus s’il est plus court.',
    quietHint:
      'Les messages partent du lundi au vendredi entre 9 h et 17 h, heure de chaque personne, et jamais pendant une absence.',
    validityHint: 'La durée de validité d’un résultat dépend du cours.',
    simulationHint: 'Les jours sans simulation se règlent dans les paramètres des simulations.',
    preview: 'Enregistrer et voir l’aperçu',
    previewChange: 'Voir l’effet des modifications',
    cancel: 'Annuler',
    changedMeanwhile:
      'Quelqu’un a modifié cette campagne depuis que vous avez ouvert le formulaire. Votre saisie est toujours là : comparez avec la campagne dans une autre fenêtre, puis enregistrez de nouveau pour la remplacer.',
    gone: 'Cela n’existe plus. Veuillez choisir autre chose.',
    locked: 'La campagne a commencé ou est terminée : cela ne peut plus changer.',
    faults: {
      name: 'Veuillez saisir un nom d’au plus 200 caractères ordinaires.',
      items: 'Veuillez choisir des contenus existants, au plus 20 différents.',
      audience:
        'Veuillez vérifier les destinataires : les pays sont des codes à deux lettres, et chaque liste a au plus 20 entrées.',
      startAt: 'Veuillez choisir une date.',
      due: 'Veuillez saisir 1 à 3 650 jours, ou une date après le début. L’échéance doit précéder la répétition suivante.',
      recurrence: 'Veuillez saisir 1 à 120 mois.',
      reminders: 'Veuillez saisir au plus dix nombres différents de 1 à 365.',
      message: 'Veuillez saisir au plus 500 caractères ordinaires.',
      replyName: 'Veuillez saisir un nom d’au plus 200 caractères ordinaires.',
      escalation: 'Veuillez saisir 1 à 365 jours.',
    },
  },
};
