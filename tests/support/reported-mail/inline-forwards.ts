// Emails forwarded in the text of another, as four mail programs do in five languages.

export interface Quotable {
  from: string;
  to: string;
  subject: string;
  /** Text of the email, with its links. */
  text: string;
  html: string;
}

interface Names {
  from: string;
  to: string;
  sent: string;
  date: string;
  subject: string;
  gmail: string;
  apple: string;
  thunderbird: string;
}

export const NAMES: Record<string, Names> = {
  English: {
    ...{ from: 'From', to: 'To', sent: 'Sent', date: 'Date', subject: 'Subject' },
    ...{ gmail: 'Forwarded message', apple: 'Begin forwarded message', thunderbird: 'Forwarded Message' },
  },
  German: {
    ...{ from: 'Von', to: 'An', sent: 'Gesendet', date: 'Datum', subject: 'Betreff' },
    ...{ gmail: 'Forwarded message', apple: 'Anfang der weitergeleiteten Nachricht' },
    thunderbird: 'Weitergeleitete Nachricht',
  },
  French: {
    ...{ from: 'De', to: 'À', sent: 'Envoyé', date: 'Date', subject: 'Objet' },
    ...{ gmail: 'Forwarded message', apple: 'Début du message réexpédié', thunderbird: 'Message transféré' },
  },
  Spanish: {
    ...{ from: 'De', to: 'Para', sent: 'Enviado', date: 'Fecha', subject: 'Asunto' },
    ...{ gmail: 'Forwarded message', apple: 'Inicio del mensaje reenviado', thunderbird: 'Mensaje reenviado' },
  },
  Dutch: {
    ...{ from: 'Van', to: 'Aan', sent: 'Verzonden', date: 'Datum', subject: 'Onderwerp' },
    ...{ gmail: 'Forwarded message', apple: 'Begin doorgestuurd bericht', thunderbird: 'Doorgestuurd bericht' },
  },
};

interface Body {
  text: string;
  html: string;
}

const escape = (text: string) => text.replace(/</g, '&lt;').replace(/>/g, '&gt;');
const DATE = '24.11.2026 08:00';

/** The forwards of an email, by program. */
export const PROGRAMS: Record<string, (mail: Quotable, names: Names) => Body> = {
  Outlook: (mail, { from, to, sent, subject }) => {
    const lines = [`${from}: ${mail.from}`, `${sent}: ${DATE}`, `${to}: ${mail.to}`, `${subject}: ${mail.subject}`];
    const bold = lines.map((line) => escape(line).replace(/^([^:]+:)/, '<b>$1</b>')).join('<br>\n');
    return {
      text: `Is this real?\n\n________________________________\n${lines.join('\n')}\n\n${mail.text}`,
      html: `<p>Is this real?</p><div style="border-top:solid"><p>${bold}</p></div>${mail.html}`,
    };
  },
  Gmail: (mail, { from, to, date, subject, gmail }) => {
    const lines = [`${from}: ${mail.from}`, `${date}: ${DATE}`, `${subject}: ${mail.subject}`, `${to}: ${mail.to}`];
    return {
      text: `Is this real?\n\n---------- ${gmail} ---------\n${lines.join('\n')}\n\n\n${mail.text}`,
      html: `<div>Is this real?</div><div class="gmail_quote"><div>---------- ${gmail} ---------<br>${lines.map(escape).join('<br>')}<br></div>${mail.html}</div>`,
    };
  },
  'Apple Mail': (mail, { from, to, date, subject, apple }) => {
    const lines = [`${from}: ${mail.from}`, `${subject}: ${mail.subject}`, `${date}: ${DATE}`, `${to}: ${mail.to}`];
    const quoted = [...lines, '', ...mail.text.split('\n')].map((line) => `> ${line}`).join('\n');
    const divs = lines.map((line) => `<div><span><b>${escape(line).replace(':', ':</b></span><span>')}</span></div>`);
    return {
      text: `Is this real?\n\n> ${apple}:\n> \n${quoted}`,
      html: `<div>Is this real?</div><blockquote type="cite"><div>${apple}:</div><br>${divs.join('\n')}<br>${mail.html}</blockquote>`,
    };
  },
  Thunderbird: (mail, { from, to, date, subject, thunderbird }) => {
    const lines = [`${subject}: ${mail.subject}`, `${date}: ${DATE}`, `${from}: ${mail.from}`, `${to}: ${mail.to}`];
    const rows = lines.map((line) => `<tr><th>${escape(line).replace(': ', ': </th>\n<td>')}</td></tr>`);
    return {
      text: `\n\n-------- ${thunderbird} --------\n${lines.map((line) => line.replace(': ', ': \t')).join('\n')}\n\n\n${mail.text}`,
      html: `<p><br></p><div class="moz-forward-container"><br>-------- ${thunderbird} --------\n<table>${rows.join('\n')}</table>${mail.html}</div>`,
    };
  },
};
