import type { Language } from '../../../contract/languages.ts';

interface PackageMessages {
  begin: string;
  goOn: string;
  again: string;
  review: string;
  /** Text above the button. */
  about: string;
  window: string;
  notYours: string;
  retired: string;
  /** @param score null if the package reported no score */
  passed(score: string | null): string;
  failed(score: string | null, passMark: number): string;
  /** Text for a package that reported neither a score nor whether the learner passed. */
  finished: string;
  needsScript: string;
  frame: string;
  saved: string;
  stale: string;
  /** Text for a window whose session or lifetime has ended. */
  expired: string;
  unsaved: string;
  back: string;
}

export const packageMessages: Record<Language, PackageMessages> = {
  en: {
    begin: 'Begin the course',
    goOn: 'Continue the course',
    again: 'Try again',
    review: 'Review the course',
    about: 'Your work is saved as you go. You can close the window and come back later.',
    window: 'If the course is open in another window, it ends there.',
    notYours: 'You are not enrolled in this course.',
    retired: 'This course can no longer be started.',
    passed: (score) => `You have passed this course${score === null ? '' : ` with ${score}%`}.`,
    failed: (score, passMark) =>
      score === null ? 'You have not passed this course yet.' : `You scored ${score}%. You need ${passMark}% to pass.`,
    finished: 'You have finished this course.',
    needsScript: 'This course needs JavaScript. Please enable it for this page, or use another browser.',
    frame: 'The course',
    saved: 'Your result is saved. You can leave this page.',
    stale: 'This course is open in another window, or has been finished. What you do here is no longer saved.',
    expired: 'This window has expired, and what you do here is no longer saved. Open the course again to continue.',
    unsaved: 'Your last step could not be saved. We will try again in a moment.',
    back: 'Back to the course overview',
  },
  de: {
    begin: 'Kurs beginnen',
    goOn: 'Kurs fortsetzen',
    again: 'Noch einmal versuchen',
    review: 'Kurs noch einmal ansehen',
    about: 'Was Sie tun, wird laufend gespeichert. Sie können das Fenster schließen und später weitermachen.',
    window: 'Wenn Sie den Kurs in einem anderen Fenster geöffnet haben, endet er dort.',
    notYours: 'Sie sind für diesen Kurs nicht eingeschrieben.',
    retired: 'Dieser Kurs wird nicht mehr begonnen.',
    passed: (score) => `Sie haben diesen Kurs ${score === null ? '' : `mit ${score} % `}bestanden.`,
    failed: (score, passMark) =>
      score === null
        ? 'Sie haben diesen Kurs noch nicht bestanden.'
        : `Sie haben ${score} % erreicht. Zum Bestehen sind ${passMark} % nötig.`,
    finished: 'Sie haben diesen Kurs abgeschlossen.',
    needsScript:
      'Dieser Kurs braucht JavaScript. Bitte schalten Sie es für diese Seite ein, oder verwenden Sie einen anderen Browser.',
    frame: 'Der Kurs',
    saved: 'Ihr Ergebnis ist gespeichert. Sie können diese Seite verlassen.',
    stale:
      'Dieser Kurs ist in einem anderen Fenster geöffnet oder abgeschlossen. Was Sie hier tun, wird nicht mehr gespeichert.',
    expired:
      'Dieses Fenster ist abgelaufen, und was Sie hier tun, wird nicht mehr gespeichert. Öffnen Sie den Kurs neu, um weiterzumachen.',
    unsaved: 'Was Sie zuletzt getan haben, konnte nicht gespeichert werden. Wir versuchen es gleich noch einmal.',
    back: 'Zur Übersicht des Kurses',
  },
  fr: {
    begin: 'Commencer le cours',
    goOn: 'Continuer le cours',
    again: 'Réessayer',
    review: 'Revoir le cours',
    about: 'Ce que vous faites est enregistré au fur et à mesure. Vous pouvez fermer la fenêtre et revenir plus tard.',
    window: 'Si vous avez ouvert le cours dans une autre fenêtre, il s’y termine.',
    notYours: 'Vous n’êtes pas inscrit(e) à ce cours.',
    retired: 'Ce cours ne peut plus être commencé.',
    passed: (score) => `Vous avez réussi ce cours${score === null ? '' : ` avec ${score} %`}.`,
    failed: (score, passMark) =>
      score === null
        ? 'Vous n’avez pas encore réussi ce cours.'
        : `Vous avez obtenu ${score} %. Il faut ${passMark} % pour réussir.`,
    finished: 'Vous avez terminé ce cours.',
    needsScript: 'Ce cours a besoin de JavaScript. Activez-le pour cette page, ou utilisez un autre navigateur.',
    frame: 'Le cours',
    saved: 'Votre résultat est enregistré. Vous pouvez quitter cette page.',
    stale:
      'Ce cours est ouvert dans une autre fenêtre, ou il est terminé. Ce que vous faites ici n’est plus enregistré.',
    expired:
      'Cette fenêtre a expiré, et ce que vous faites ici n’est plus enregistré. Rouvrez le cours pour continuer.',
    unsaved: 'Votre dernière action n’a pas pu être enregistrée. Nous réessayons dans un instant.',
    back: 'Vers la présentation du cours',
  },
};
