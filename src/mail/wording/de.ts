import type { Wording } from './wording.ts';

const date = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeZone: 'UTC' });

export const de: Wording = {
  greeting: (name) => `Guten Tag ${name},`,
  adminInvite: ({ company, contact, setupUrl, expiresAt }) => ({
    subject: `Ihre Einladung zur Verwaltung der Security Awareness bei ${company}`,
    paragraphs: [
      `Sie sind eingeladen, das Security-Awareness-Programm von ${company} zu verwalten.`,
      `Bitte bestätigen Sie Ihren Namen, um die Einrichtung abzuschließen. Der Link funktioniert einmal, bis zum ${date.format(expiresAt)} Uhr (UTC).`,
    ],
    action: { label: 'Einrichtung abschließen', url: setupUrl },
    footer: `Sie erhalten diese Nachricht, weil ein Administrator von ${company} Sie eingeladen hat. Wenn Sie nicht damit gerechnet haben, ignorieren Sie sie oder fragen Sie bei ${contact} nach.`,
  }),
  signIn: ({ company, contact, signInUrl }) => ({
    subject: `Ihr Link zur Security-Awareness-Schulung von ${company}`,
    paragraphs: [
      `Jemand, vermutlich Sie, hat einen Link zu Ihrer Security-Awareness-Schulung bei ${company} angefordert.`,
      'Er meldet Sie ohne Passwort an und funktioniert einen Tag lang. Bitte geben Sie ihn nicht weiter.',
    ],
    action: { label: 'Zu meinen Schulungen', url: signInUrl },
    footer: `Wenn Sie diesen Link nicht angefordert haben, beachten Sie diese Nachricht nicht weiter. Fragen? Wenden Sie sich an ${contact}.`,
  }),
  adminSignIn: ({ company, contact, signInUrl }) => ({
    subject: `Ihr Link zur Konsole von ${company}`,
    paragraphs: [
      `Jemand, vermutlich Sie, hat einen Link angefordert, um das Security-Awareness-Programm von ${company} zu verwalten.`,
      'Er meldet Sie ohne Passwort an und funktioniert einmal, 30 Minuten lang. Bitte geben Sie ihn nicht weiter.',
    ],
    action: { label: 'Anmelden', url: signInUrl },
    footer: `Wenn Sie diesen Link nicht angefordert haben, beachten Sie diese Nachricht nicht weiter. Es wurde niemand angemeldet. Fragen? Wenden Sie sich an ${contact}.`,
  }),
  keepPasskeys: ({ company, contact, keepUrl }) => ({
    subject: `Ihre Passkeys für die Konsole von ${company} behalten`,
    paragraphs: [
      `Ihre E-Mail-Adresse für die Konsole von ${company} hat sich geändert. Jemand, der mit der neuen Adresse angemeldet ist, möchte die Passkeys von vorher behalten.`,
      'Wenn Sie das sind, öffnen Sie den Link in dem Browser, in dem Sie angemeldet sind. Er funktioniert einmal, eine Stunde lang. Bitte geben Sie ihn nicht weiter.',
    ],
    action: { label: 'Passkeys behalten', url: keepUrl },
    footer: `Wenn Sie das nicht sind, ignorieren Sie diese Nachricht: Die Passkeys enden dann. Fragen? Wenden Sie sich an ${contact}.`,
  }),
  course_enrollment: (company) => ({
    one: (name) => `Neues Training für Sie: „${name}“`,
    many: (count) => `Neues Training für Sie: ${count} Kurse`,
    beforeOne: `${company} hat Sie für diesen Security-Awareness-Kurs angemeldet:`,
    beforeMany: `${company} hat Sie für diese Security-Awareness-Kurse angemeldet:`,
    action: 'Zu meinem Training',
  }),
  course_reminder: () => ({
    one: (name) => `Erinnerung: Bitte schließen Sie „${name}“ ab`,
    many: (count) => `Erinnerung: Bitte schließen Sie ${count} Kurse ab`,
    beforeOne: 'Dies ist eine Erinnerung an einen Security-Awareness-Kurs, den Sie noch nicht abgeschlossen haben:',
    beforeMany: 'Dies ist eine Erinnerung an die Security-Awareness-Kurse, die Sie noch nicht abgeschlossen haben:',
    action: 'Zu meinem Training',
  }),
  policy_request: (company) => ({
    one: (name) => `Bitte lesen und unterschreiben Sie „${name}“`,
    many: (count) => `Bitte lesen und unterschreiben Sie ${count} Richtlinien`,
    beforeOne: `${company} bittet Sie, diese Richtlinie zu lesen und zu unterschreiben:`,
    beforeMany: `${company} bittet Sie, diese Richtlinien zu lesen und zu unterschreiben:`,
    action: 'Lesen und unterschreiben',
  }),
  policy_reminder: () => ({
    one: (name) => `Erinnerung: Bitte unterschreiben Sie „${name}“`,
    many: (count) => `Erinnerung: Bitte unterschreiben Sie ${count} Richtlinien`,
    beforeOne: 'Dies ist eine Erinnerung an eine Richtlinie, die Sie noch nicht unterschrieben haben:',
    beforeMany: 'Dies ist eine Erinnerung an die Richtlinien, die Sie noch nicht unterschrieben haben:',
    action: 'Lesen und unterschreiben',
  }),
  assignments_due: (company) => ({
    one: (name) => `Bitte erledigen: „${name}“`,
    many: (count) => `Bitte erledigen: ${count} Kurse und Richtlinien`,
    beforeOne: `${company} bittet Sie, diesen Kurs abzuschließen oder diese Richtlinie zu lesen und zu unterschreiben:`,
    beforeMany: `${company} bittet Sie, diese Kurse abzuschließen und diese Richtlinien zu lesen und zu unterschreiben:`,
    action: 'Zu meinem Training',
  }),
  dueAssignment: ({ name, dueOn, isOverdue }) =>
    `„${name}“, ${isOverdue ? 'überfällig: Die Frist endete am' : 'fällig bis zum'} ${day.format(new Date(dueOn))}`,
  assignments_overdue: (company) => ({
    one: (name) => `Überfällig in Ihrem Team: „${name}“`,
    many: (count) => `Überfällig in Ihrem Team: ${count} Kurse und Richtlinien`,
    beforeOne: `Jemand in Ihrem Team bei ${company} hat dies nicht rechtzeitig abgeschlossen oder unterschrieben:`,
    beforeMany: `Personen in Ihrem Team bei ${company} haben dies nicht rechtzeitig abgeschlossen oder unterschrieben:`,
    advice: 'Bitte erinnern Sie daran. Sie erhalten diese Nachricht einmal pro Woche, solange etwas überfällig ist.',
  }),
  overdueAssignment: ({ learnerName, name, dueOn }) =>
    `${learnerName}: „${name}“, war fällig bis zum ${day.format(new Date(dueOn))}`,
  moreOverdue: (count) => (count === 1 ? 'Und eine weitere Zuweisung.' : `Und ${count} weitere Zuweisungen.`),
  questionsTo: (name) => `Fragen dazu? Wenden Sie sich an ${name}.`,
  policy_receipt: (company) => ({
    one: (name) => `Ihr Beleg: Sie haben „${name}“ unterschrieben`,
    many: (count) => `Ihr Beleg: Sie haben ${count} Richtlinien unterschrieben`,
    beforeOne: `Sie haben diese Richtlinie gelesen und unterschrieben (${company}):`,
    beforeMany: `Sie haben diese Richtlinien gelesen und unterschrieben (${company}):`,
    action: 'Zu meinem Training',
  }),
  receipt: ({ version, signed, sha256 }) =>
    `Version ${version}, unterschrieben am ${date.format(new Date(signed))} (UTC). SHA-256 der Datei: ${sha256}. Bewahren Sie diese Nachricht als Beleg auf. Wenn nicht Sie unterschrieben haben, melden Sie sich bitte sofort.`,
  signature_voided: (company) => ({
    one: (name) => `Ihre Unterschrift unter „${name}“ zählt nicht mehr`,
    many: (count) => `Ihre Unterschriften unter ${count} Richtlinien zählen nicht mehr`,
    beforeOne: `${company} hat eine Unterschrift für ungültig erklärt, die Sie unter diese Richtlinie gesetzt haben:`,
    beforeMany: `${company} hat Unterschriften für ungültig erklärt, die Sie unter diese Richtlinien gesetzt haben:`,
    action: 'Zu meinem Training',
  }),
  signature_restored: (company) => ({
    one: (name) => `Ihre Unterschrift unter „${name}“ zählt wieder`,
    many: (count) => `Ihre Unterschriften unter ${count} Richtlinien zählen wieder`,
    beforeOne: `${company} hat eine Unterschrift wieder für gültig erklärt, die Sie unter diese Richtlinie gesetzt haben. Unsere frühere Nachricht dazu gilt nicht mehr:`,
    beforeMany: `${company} hat Unterschriften wieder für gültig erklärt, die Sie unter diese Richtlinien gesetzt haben. Unsere früheren Nachrichten dazu gelten nicht mehr:`,
    action: 'Zu meinem Training',
  }),
  voidedSignature: ({ policyName, version, signed, isToSign }) =>
    `Ihre Unterschrift unter „${policyName}“, Version ${version}, vom ${date.format(new Date(signed))} (UTC) zählt nicht mehr. ${isToSign ? 'Bitte lesen und unterschreiben Sie die Richtlinie noch einmal.' : 'Sie müssen die Richtlinie nicht noch einmal unterschreiben.'}`,
  api_key_expiring: (company) => ({
    one: (name) => `Ein API-Schlüssel läuft bald ab: ${name}`,
    many: (count) => `${count} API-Schlüssel laufen bald ab`,
    beforeOne: `Dieser API-Schlüssel von ${company} funktioniert nur noch bis zum angegebenen Zeitpunkt:`,
    beforeMany: `Diese API-Schlüssel von ${company} funktionieren nur noch bis zum angegebenen Zeitpunkt:`,
    advice:
      'Was einen dieser Schlüssel noch verwendet, braucht vorher einen neuen. Schlüssel werden über die API erneuert oder durch den Betreiber.',
  }),
  api_key_leaked: (company) => ({
    one: (name) => `Ein API-Schlüssel wurde offengelegt und gesperrt: ${name}`,
    many: (count) => `${count} API-Schlüssel wurden offengelegt und gesperrt`,
    beforeOne: `Jemand hat diesen API-Schlüssel von ${company} gefunden und gemeldet. Er wurde zum angegebenen Zeitpunkt gesperrt:`,
    beforeMany: `Jemand hat diese API-Schlüssel von ${company} gefunden und gemeldet. Sie wurden zum angegebenen Zeitpunkt gesperrt:`,
    advice:
      'Was hinter einem Pfeil steht, wurde mit dem Schlüssel angelegt und funktioniert noch: Beenden Sie es, wenn Sie es nicht kennen. Was einen dieser Schlüssel verwendet hat, braucht einen neuen. Finden Sie heraus, wo er zu sehen war, und lesen Sie im Audit-Log, wofür er verwendet wurde.',
  }),
  api_key_created: (company) => ({
    one: (name) => `Ein neuer API-Schlüssel: ${name}`,
    many: (count) => `${count} neue API-Schlüssel`,
    beforeOne: `Jemand, der das darf, hat diesen API-Schlüssel von ${company} angelegt:`,
    beforeMany: `Jemand, der das darf, hat diese API-Schlüssel von ${company} angelegt:`,
    advice:
      'Wenn niemand von Ihnen ihn erwartet, sperren Sie ihn in der Konsole. Wer ihn angelegt hat, steht im Audit-Log.',
  }),
  admin_added: (company) => ({
    one: (name) => `Ein neuer Administrator: ${name}`,
    many: (count) => `${count} neue Administratoren`,
    beforeOne: `Diese Person wurde eingeladen, das Security-Awareness-Programm von ${company} zu verwalten:`,
    beforeMany: `Diese Personen wurden eingeladen, das Security-Awareness-Programm von ${company} zu verwalten:`,
    advice:
      'Wenn niemand von Ihnen das erwartet, entfernen Sie den Zugang. Wer die Einladung veranlasst hat, steht im Audit-Log.',
  }),
  admin_address_changed: (company) => ({
    one: (name) => `Ein Administrator hat eine andere E-Mail-Adresse: ${name}`,
    many: (count) => `${count} Administratoren haben andere E-Mail-Adressen`,
    beforeOne: `Links zur Konsole von ${company} gehen für diesen Administrator jetzt an eine andere Adresse. Die Sitzungen wurden beendet. Passkeys funktionieren nur wieder, wenn der Administrator sie innerhalb von sieben Tagen bestätigt:`,
    beforeMany: `Links zur Konsole von ${company} gehen für diese Administratoren jetzt an andere Adressen. Die Sitzungen wurden beendet. Passkeys funktionieren nur wieder, wenn die Administratoren sie innerhalb von sieben Tagen bestätigen:`,
    advice: 'Wenn das nicht beabsichtigt war, ändern Sie die Adresse zurück. Wer sie geändert hat, steht im Audit-Log.',
  }),
  admin_role_changed: (company) => ({
    one: (name) => `Ein Administrator hat andere Rechte: ${name}`,
    many: (count) => `${count} Administratoren haben andere Rechte`,
    beforeOne: `Dieser Administrator von ${company} hat jetzt eine andere Rolle, oder die Rolle hat mehr Rechte:`,
    beforeMany: `Diese Administratoren von ${company} haben jetzt eine andere Rolle, oder die Rolle hat mehr Rechte:`,
    advice:
      'Wenn das nicht beabsichtigt war, ändern Sie die Rolle in der Konsole unter „Administratoren“. Wer sie geändert hat, steht im Audit-Log.',
  }),
  certificate_expiring: (company) => ({
    one: (name) => `Ein Zertifikat Ihres Identitätsanbieters läuft bald ab: ${name}`,
    many: (count) => `Zertifikate von ${count} Identitätsanbietern laufen bald ab`,
    beforeOne: `Die hier gespeicherten Zertifikate dieses Identitätsanbieters von ${company} laufen zur angegebenen Zeit ab:`,
    beforeMany: `Die hier gespeicherten Zertifikate dieser Identitätsanbieter von ${company} laufen zu den angegebenen Zeiten ab:`,
    advice:
      'Bis dahin wird der Anbieter vermutlich ein neues Zertifikat benutzen. Damit kann sich niemand anmelden, bis es hier gespeichert ist: Exportieren Sie beim Anbieter die aktuellen Metadaten, und fügen Sie sie in der Konsole unter „Authentifizierung“ ein.',
  }),
  sign_in_settings_changed: (company) => ({
    one: (name) => `Anmeldeeinstellungen wurden geändert: ${name}`,
    many: (count) => `Die Einstellungen von ${count} Identitätsanbietern wurden geändert`,
    beforeOne: `Dieser Identitätsanbieter von ${company} wurde hinzugefügt, geändert oder gelöscht:`,
    beforeMany: `Diese Identitätsanbieter von ${company} wurden hinzugefügt, geändert oder gelöscht:`,
    advice:
      'Wenn das niemand von Ihnen war, prüfen Sie die Einstellungen sofort. Das Audit-Protokoll zeigt, wer sie geändert hat.',
  }),
  admin_passkeys_changed: (company) => ({
    one: (name) => `Die Regel für Passkeys wurde geändert: ${name}`,
    many: () => 'Die Regel für Passkeys wurde geändert',
    beforeOne: `Geändert wurde, ob Administratoren von ${company} für die Konsole einen Passkey brauchen:`,
    beforeMany: `Geändert wurde, ob Administratoren von ${company} für die Konsole einen Passkey brauchen:`,
    advice:
      'Die Konsole zeigt die Regel unter „Authentifizierung“. Wenn das niemand von Ihnen war, prüfen Sie die Einstellungen sofort. Das Audit-Protokoll zeigt, wer sie geändert hat.',
  }),
  admin_provisioning_changed: (company) => ({
    one: (name) => `Die Bereitstellung von Administratoren wurde geändert: ${name}`,
    many: () => 'Die Bereitstellung von Administratoren wurde geändert',
    beforeOne: `Die Einstellung, welche Gruppen des Verzeichnisses jemanden zum Administrator von ${company} machen, wurde geändert:`,
    beforeMany: `Die Einstellung, welche Gruppen des Verzeichnisses jemanden zum Administrator von ${company} machen, wurde geändert:`,
    advice:
      'Wenn das niemand von Ihnen war, prüfen Sie sofort die Einstellungen. Das Audit-Log zeigt, wer sie geändert hat.',
  }),
  last_owner_kept: (company) => ({
    one: (name) => `Der letzte Inhaber bleibt Administrator: ${name}`,
    many: (count) => `${count} Inhaber bleiben Administratoren`,
    beforeOne: `Das Verzeichnis hätte den letzten aktiven Inhaber von ${company} entfernt, der deshalb seine Rolle behält:`,
    beforeMany: `Das Verzeichnis hätte die letzten aktiven Inhaber von ${company} entfernt, die deshalb ihre Rolle behalten:`,
    advice: 'Machen Sie im Verzeichnis eine andere Person zum Inhaber. Das Verzeichnis entfernt diese dann von selbst.',
  }),
  emergency_sign_in: (company) => ({
    one: (name) => `Anmeldung ohne Identitätsanbieter: ${name}`,
    many: (count) => `${count} Anmeldungen ohne Identitätsanbieter`,
    beforeOne: `Diese Person verwaltet das Programm von ${company} und hat sich mit einem Passkey angemeldet, obwohl der Identitätsanbieter vorgeschrieben ist:`,
    beforeMany: `Diese Personen verwalten das Programm von ${company} und haben sich mit Passkeys angemeldet, obwohl der Identitätsanbieter vorgeschrieben ist:`,
    advice: 'Wenn es kein Notfall war, entfernen Sie den Passkey in der Konsole.',
  }),
  passkey_added: (company) => ({
    one: (name) => `Ein neuer Passkey: ${name}`,
    many: (count) => `${count} neue Passkeys`,
    beforeOne: `Dieser Passkey meldet jetzt an der Konsole von ${company} an:`,
    beforeMany: `Diese Passkeys melden jetzt an der Konsole von ${company} an:`,
    advice:
      'Wenn der Administrator ihn nicht kennt, entfernen Sie ihn in der Konsole, unter den Passkeys des Administrators.',
  }),
  admin_new_network: (company) => ({
    one: () => `Eine Anmeldung aus einem neuen Netz`,
    many: (count) => `${count} Anmeldungen aus neuen Netzen`,
    beforeOne: `Sie haben sich an der Konsole von ${company} aus einem Netz angemeldet, das Sie vorher nicht benutzt haben:`,
    beforeMany: `Sie haben sich an der Konsole von ${company} aus Netzen angemeldet, die Sie vorher nicht benutzt haben:`,
    advice:
      'Wenn Sie das nicht waren, sichern Sie zuerst Ihr Postfach. Beenden Sie dann in der Konsole unter „Passkeys“ alle Ihre Sitzungen, und prüfen Sie die API-Schlüssel.',
  }),
  addressChanged: ({ company, contact }) => ({
    subject: `Die E-Mail-Adresse Ihrer Schulung bei ${company} wurde geändert`,
    paragraphs: [
      `${company} hat für Sie eine andere E-Mail-Adresse hinterlegt. Links zu Ihrer Security-Awareness-Schulung gehen von jetzt an dorthin und nicht mehr an diese Adresse.`,
      'Wenn Sie das erwarten, ist nichts zu tun. Wenn nicht, sagen Sie uns bitte sofort Bescheid: Wer das andere Postfach liest, kann in Ihrem Namen Schulungen absolvieren und Richtlinien unterschreiben.',
    ],
    footer: `Sie erhalten diese Nachricht einmalig, weil dies bisher Ihre Adresse war. Fragen? Wenden Sie sich an ${contact}.`,
  }),
  webhook_failing: (company) => ({
    one: (name) => `Ein Webhook-Endpunkt nimmt keine Ereignisse an: ${name}`,
    many: (count) => `${count} Webhook-Endpunkte nehmen keine Ereignisse an`,
    beforeOne: `Dieser Webhook-Endpunkt von ${company} hat seit dem angegebenen Zeitpunkt kein Ereignis angenommen:`,
    beforeMany: `Diese Webhook-Endpunkte von ${company} haben seit dem angegebenen Zeitpunkt kein Ereignis angenommen:`,
    advice:
      'Die Ereignisse warten und werden gesendet, sobald der Endpunkt wieder mit Erfolg antwortet. Nach drei Tagen ohne Erfolg wird er abgeschaltet.',
  }),
  webhook_disabled: (company) => ({
    one: (name) => `Ein Webhook-Endpunkt wurde abgeschaltet: ${name}`,
    many: (count) => `${count} Webhook-Endpunkte wurden abgeschaltet`,
    beforeOne: `Dieser Webhook-Endpunkt von ${company} erhält keine Ereignisse mehr. Er hat drei Tage lang keines angenommen oder mitgeteilt, dass es ihn nicht mehr gibt:`,
    beforeMany: `Diese Webhook-Endpunkte von ${company} erhalten keine Ereignisse mehr. Sie haben drei Tage lang keines angenommen oder mitgeteilt, dass es sie nicht mehr gibt:`,
    advice:
      'Ein Endpunkt wird über die API wieder eingeschaltet. Er erhält dann die Ereignisse seit der Abschaltung, höchstens die der letzten 30 Tage.',
  }),
  personalLink:
    'Der Link gehört nur Ihnen und meldet Sie ohne Passwort an. Bitte geben Sie ihn nicht weiter. Er funktioniert 14 Tage lang.',
  trainingFooter: (company, contact) =>
    `Sie erhalten diese Nachricht, weil ${company} Sie für das Security-Awareness-Programm angemeldet hat. Fragen? Wenden Sie sich an ${contact}.`,
  managerFooter: (company, contact) =>
    `Sie erhalten diese Nachricht, weil Sie Personen im Security-Awareness-Programm von ${company} führen. Fragen? Wenden Sie sich an ${contact}.`,
  adminFooter: (company, contact) =>
    `Sie erhalten diese Nachricht, weil Sie das Security-Awareness-Programm von ${company} verwalten. Fragen? Wenden Sie sich an ${contact}.`,
};
