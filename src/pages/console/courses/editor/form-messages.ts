import type { Language } from '../../../../contract/languages.ts';

export interface FormMessages {
  settings: string;
  files: string;
  name: string;
  summary: string;
  minutes: string;
  passMark: string;
  languages: string;
  languagesHint: string;
  noLanguage: string;
  text: string;
  markdownHint: string;
  ask: string;
  case: string;
  answer(number: number): string;
  because(number: number): string;
  right: string;
  answersHint: string;
  yaml: string;
  unreadable: string;
  entryFault: string;
  save: string;
  findings: string;
  noFindings: string;
  line(line: number): string;
  conflict: string;
  rejected: string;
}

export const formMessages: Record<Language, FormMessages> = {
  en: {
    settings: 'Names, length and languages',
    files: 'Files as text',
    name: 'Name',
    summary: 'Summary',
    minutes: 'Minutes',
    passMark: 'Pass mark in per cent',
    languages: 'Languages',
    languagesHint: 'A new language begins as a copy of the first. Removing a language deletes its texts.',
    noLanguage: 'Choose at least one language.',
    text: 'Text',
    markdownHint:
      'Markdown: the first line is the title (# Title). ## begins a section, - begins a list item, and **bold** emphasises words. HTML and links are not allowed.',
    ask: 'Question',
    case: 'Case to read before the question (optional, Markdown)',
    answer: (number) => `Answer ${number}`,
    because: (number) => `Explanation of answer ${number}`,
    right: 'Right answers',
    answersHint: 'Leave an answer empty in all languages to remove it.',
    yaml: 'Question as text (YAML)',
    unreadable: 'This part cannot be shown as a form, because its file has a fault. Correct the file as text.',
    entryFault:
      'Begin with “- id:” and indent all other lines. The text must be one question, and its ID must not change.',
    save: 'Save',
    findings: 'To correct before you publish',
    noFindings: 'The checks found nothing to correct.',
    line: (line) => `line ${line}`,
    conflict:
      'Somebody else has saved this course in the meantime. Your input is still here. If you save again, it replaces their changes in this part.',
    rejected: 'The text could not be saved: it is empty, too long or contains invisible characters.',
  },
  de: {
    settings: 'Namen, Dauer und Sprachen',
    files: 'Dateien als Text',
    name: 'Name',
    summary: 'Zusammenfassung',
    minutes: 'Minuten',
    passMark: 'Bestanden ab (in Prozent)',
    languages: 'Sprachen',
    languagesHint:
      'Eine neue Sprache beginnt als Kopie der ersten. Wenn Sie eine Sprache entfernen, werden ihre Texte gelöscht.',
    noLanguage: 'Wählen Sie mindestens eine Sprache.',
    text: 'Text',
    markdownHint:
      'Markdown: Die erste Zeile ist der Titel (# Titel), ## beginnt einen Abschnitt, - einen Listenpunkt, **fett** hebt hervor. Kein HTML, keine Links.',
    ask: 'Frage',
    case: 'Fall, der zuerst gezeigt wird (optional, Markdown)',
    answer: (number) => `Antwort ${number}`,
    because: (number) => `Erklärung zu Antwort ${number}`,
    right: 'Richtige Antworten',
    answersHint: 'Lassen Sie eine Antwort in allen Sprachen leer, um sie zu entfernen.',
    yaml: 'Frage als Text (YAML)',
    unreadable:
      'Dieser Teil lässt sich nicht als Formular anzeigen, weil seine Datei einen Fehler hat. Korrigieren Sie die Datei als Text.',
    entryFault:
      'Beginnen Sie mit „- id:“ und rücken Sie alle anderen Zeilen ein. Der Text muss genau eine Frage sein, und ihre ID muss gleich bleiben.',
    save: 'Speichern',
    findings: 'Vor dem Veröffentlichen zu korrigieren',
    noFindings: 'Die Prüfungen haben nichts zu korrigieren gefunden.',
    line: (line) => `Zeile ${line}`,
    conflict:
      'Jemand anderes hat diesen Kurs inzwischen gespeichert. Ihre Eingaben stehen noch hier. Wenn Sie erneut speichern, ersetzen sie die Änderungen der anderen Person in diesem Teil.',
    rejected: 'Der Text ließ sich nicht speichern: Er ist leer, zu lang oder enthält unsichtbare Zeichen.',
  },
  fr: {
    settings: 'Noms, durée et langues',
    files: 'Fichiers en texte',
    name: 'Nom',
    summary: 'Résumé',
    minutes: 'Minutes',
    passMark: 'Seuil de réussite en pour cent',
    languages: 'Langues',
    languagesHint:
      'Une nouvelle langue reprend d’abord les textes de la première. Retirer une langue supprime ses textes.',
    noLanguage: 'Choisissez au moins une langue.',
    text: 'Texte',
    markdownHint:
      'Markdown : la première ligne est le titre (# Titre) ; ## ouvre une section, - un élément de liste, **gras** met en valeur. Ni HTML ni liens.',
    ask: 'Question',
    case: 'Situation présentée d’abord (facultatif, Markdown)',
    answer: (number) => `Réponse ${number}`,
    because: (number) => `Explication de la réponse ${number}`,
    right: 'Bonnes réponses',
    answersHint: 'Pour retirer une réponse, laissez-la vide dans toutes les langues.',
    yaml: 'Question en texte (YAML)',
    unreadable:
      'Cette partie ne peut pas être affichée en formulaire, car son fichier contient une erreur. Corrigez le fichier en texte.',
    entryFault:
      'Commencez par « - id: » et indentez toutes les autres lignes. Le texte doit contenir une seule question, dont l’identifiant ne change pas.',
    save: 'Enregistrer',
    findings: 'À corriger avant de publier',
    noFindings: 'Les vérifications n’ont rien trouvé à corriger.',
    line: (line) => `ligne ${line}`,
    conflict:
      'Une autre personne a enregistré ce cours entre-temps. Votre saisie est conservée ci-dessous. Si vous enregistrez à nouveau, elle remplacera les modifications de cette personne dans cette partie.',
    rejected: 'Le texte n’a pas pu être enregistré : il est vide, trop long ou contient des caractères invisibles.',
  },
};
