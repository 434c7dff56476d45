import type { Language } from '../../../contract/languages.ts';

/** Messages of the certificate PDF and of its pages. */
export interface CertificateMessages {
  title: string;
  holder: string;
  passed: string;
  at(company: string, day: string): string;
  validUntil(day: string): string;
  number: string;
  check(address: string): string;
  page(course: string): string;
  notYet: string;
  make: string;
  download: string;
  whoSees: string;
  checkPage: string;
  genuineTitle: string;
  genuine(course: string, company: string, day: string): string;
  expiredTitle: string;
  expired(day: string): string;
  invalidTitle: string;
  invalid(course: string, company: string, day: string): string;
  compareHint: string;
  compareName: string;
  compare: string;
  isHolder: string;
  isNotHolder: string;
  unknownTitle: string;
  unknown: string;
}

export const certificateMessages: Record<Language, CertificateMessages> = {
  en: {
    title: 'Certificate',
    holder: 'This certifies that',
    passed: 'has passed the course',
    at: (company, day) => `in the security awareness programme of ${company}, on ${day}.`,
    validUntil: (day) => `Valid until ${day}.`,
    number: 'Number',
    check: (address) => `Check it at ${address}`,
    page: (course) => `You have passed “${course}”.`,
    notYet:
      'You can create a certificate: a PDF with a number. Anybody who has the number can check that the certificate is genuine.',
    make: 'Create my certificate',
    download: 'Download certificate (PDF)',
    whoSees:
      'Anybody who has the number can see the course, the company and the day. Your name is not shown; it can only be compared with a name that somebody enters.',
    checkPage: 'See what others see',
    genuineTitle: 'This certificate is genuine',
    genuine: (course, company, day) =>
      `Somebody passed the course “${course}” in the security awareness programme of ${company}, on ${day}.`,
    expiredTitle: 'This certificate has expired',
    expired: (day) => `It was valid until ${day}.`,
    invalidTitle: 'This certificate is no longer valid',
    invalid: (course, company, day) =>
      `It was issued for passing the course “${course}” in the security awareness programme of ${company} on ${day}. The result has been corrected since then.`,
    compareHint: 'The holder’s name is not shown here. Enter the name on the certificate, and we will compare it.',
    compareName: 'First and last name',
    compare: 'Compare',
    isHolder: 'Yes: the certificate was issued to this name.',
    isNotHolder: 'No: the certificate was not issued to this name.',
    unknownTitle: 'Certificate not found',
    unknown:
      'Please compare the number with the one on the certificate. It might also have been deleted with its holder’s data.',
  },
  de: {
    title: 'Zertifikat',
    holder: 'Hiermit wird bescheinigt, dass',
    passed: 'den folgenden Kurs bestanden hat:',
    at: (company, day) => `im Security-Awareness-Programm von ${company}, am ${day}.`,
    validUntil: (day) => `Gültig bis ${day}.`,
    number: 'Nummer',
    check: (address) => `Zu prüfen unter ${address}`,
    page: (course) => `Sie haben „${course}“ bestanden.`,
    notYet:
      'Sie können sich darüber ein Zertifikat ausstellen lassen: ein PDF mit einer Nummer. Wer die Nummer hat, kann prüfen, ob das Zertifikat echt ist.',
    make: 'Mein Zertifikat ausstellen',
    download: 'Zertifikat herunterladen (PDF)',
    whoSees:
      'Wer die Nummer hat, sieht den Kurs, das Unternehmen und den Tag. Ihr Name wird nicht angezeigt: Er lässt sich nur mit einem eingegebenen Namen vergleichen.',
    checkPage: 'Ansehen, was andere sehen',
    genuineTitle: 'Dieses Zertifikat ist echt',
    genuine: (course, company, day) =>
      `Jemand hat den Kurs „${course}“ im Security-Awareness-Programm von ${company} am ${day} bestanden.`,
    expiredTitle: 'Dieses Zertifikat ist abgelaufen',
    expired: (day) => `Es war bis ${day} gültig.`,
    invalidTitle: 'Dieses Zertifikat ist nicht mehr gültig',
    invalid: (course, company, day) =>
      `Es bescheinigte, dass jemand den Kurs „${course}“ im Security-Awareness-Programm von ${company} am ${day} bestanden hat. Das Ergebnis wurde seitdem korrigiert.`,
    compareHint:
      'Wem es gehört, wird hier nicht angezeigt. Geben Sie den Namen ein, der auf dem Zertifikat steht, und wir vergleichen ihn.',
    compareName: 'Vor- und Nachname',
    compare: 'Vergleichen',
    isHolder: 'Ja: Das Zertifikat ist auf diesen Namen ausgestellt.',
    isNotHolder: 'Nein: Das Zertifikat ist nicht auf diesen Namen ausgestellt.',
    unknownTitle: 'Zu dieser Nummer gibt es kein Zertifikat',
    unknown:
      'Bitte vergleichen Sie die Nummer mit der auf dem Zertifikat. Es kann auch mit den Daten der Person gelöscht worden sein.',
  },
  fr: {
    title: 'Certificat',
    holder: 'Nous certifions que',
    passed: 'a réussi le cours',
    at: (company, day) => `du programme de sensibilisation à la sécurité de ${company}, le ${day}.`,
    validUntil: (day) => `Valable jusqu’au ${day}.`,
    number: 'Numéro',
    check: (address) => `À vérifier sur ${address}`,
    page: (course) => `Vous avez réussi « ${course} ».`,
    notYet:
      'Vous pouvez en obtenir un certificat : un PDF avec un numéro. Quiconque a ce numéro peut vérifier que le certificat est authentique.',
    make: 'Créer mon certificat',
    download: 'Télécharger le certificat (PDF)',
    whoSees:
      'Quiconque a le numéro voit le cours, l’entreprise et le jour. Votre nom n’est pas affiché : il peut seulement être comparé à un nom saisi.',
    checkPage: 'Voir ce que voient les autres',
    genuineTitle: 'Ce certificat est authentique',
    genuine: (course, company, day) =>
      `Quelqu’un a réussi le cours « ${course} » du programme de sensibilisation à la sécurité de ${company}, le ${day}.`,
    expiredTitle: 'Ce certificat a expiré',
    expired: (day) => `Il était valable jusqu’au ${day}.`,
    invalidTitle: 'Ce certificat n’est plus valable',
    invalid: (course, company, day) =>
      `Il attestait la réussite du cours « ${course} » du programme de sensibilisation à la sécurité de ${company}, le ${day}. Le résultat a été corrigé depuis.`,
    compareHint:
      'Le nom du titulaire n’est pas affiché ici. Saisissez le nom qui figure sur le certificat, et nous le comparons.',
    compareName: 'Prénom et nom',
    compare: 'Comparer',
    isHolder: 'Oui : le certificat est établi à ce nom.',
    isNotHolder: 'Non : le certificat n’est pas établi à ce nom.',
    unknownTitle: 'Aucun certificat ne porte ce numéro',
    unknown:
      'Veuillez comparer le numéro avec celui du certificat. Il peut aussi avoir été supprimé avec les données de la personne.',
  },
};
