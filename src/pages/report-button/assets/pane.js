// The task pane: reports the open message when the person presses the button, and shows the outcome.
const root = document.getElementById('report');
const button = root.querySelector('button');
const status = document.getElementById('status');
const { reports, language, maxLength, sending } = root.dataset;

/** Calls an asynchronous method of Office. */
const call = (object, method, ...given) =>
  new Promise((resolve, reject) => {
    object[method](...given, ({ status: end, value, error }) =>
      end === Office.AsyncResultStatus.Succeeded ? resolve(value) : reject(error),
    );
  });

/** Encodes text in UTF-8 and base64. */
function encode(text) {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Headers that describe the body. They are replaced, because the body is sent in a different form. */
const OF_BODY = /^(?:content-[^:]+|mime-version):[^\n]*\n(?:[ \t][^\n]*\n)*/gim;

/** Builds the email from its headers and its text, for versions of Outlook that cannot return the whole email. */
async function rebuild(item) {
  const [headers, body] = await Promise.all([
    call(item, 'getAllInternetHeadersAsync'),
    call(item.body, 'getAsync', 'html'),
  ]);
  const kept = `${headers.replace(/\r?\n/g, '\n').trim()}\n`.replace(OF_BODY, '');
  const about = 'X-Report-Button: without attachments, which this version of Outlook does not give\n';
  const type = 'MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n';
  const lines = encode(body).replace(/.{76}/g, '$&\n');
  return encode(`${kept}${about}${type}\n${lines}\n`.replace(/\n/g, '\r\n'));
}

async function readMail(item) {
  if (Office.context.requirements.isSetSupported('Mailbox', '1.14')) return call(item, 'getAsFileAsync');
  return rebuild(item);
}

async function send() {
  const { mailbox } = Office.context;
  const mail = await readMail(mailbox.item);
  if (mail.length > Number(maxLength)) return { outcome: 'too_large' };
  const body = [language, mailbox.userProfile?.emailAddress ?? '', mail].join('\n');
  const response = await fetch(reports, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body });
  return response.json();
}

function add(parent, name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  parent.append(element);
}

function show({ outcome, title, text, lesson }) {
  const isKnown = title !== undefined;
  status.replaceChildren();
  if (!isKnown)
    status.append(document.getElementById(outcome === 'too_large' ? 'too-large' : 'failed').content.cloneNode(true));
  else {
    add(status, 'h2', title);
    add(status, 'p', text);
    if (lesson) add(status, 'h3', lesson.title);
    for (const paragraph of lesson?.paragraphs ?? []) add(status, 'p', paragraph);
  }
  const isDone = outcome === 'simulation' || outcome === 'passed_on';
  root.hidden = isDone;
  button.disabled = false;
  // The focus would be lost with the button.
  status.focus();
}

button.addEventListener('click', async () => {
  button.disabled = true;
  status.replaceChildren();
  add(status, 'p', sending);
  show(await send().catch(() => ({ outcome: 'failed' })));
});

if (window.Office) {
  Office.onReady(() => {
    button.disabled = false;
    // The pane can stay open while the person opens another message.
    Office.context.mailbox.addHandlerAsync?.(Office.EventType.ItemChanged, () => {
      status.replaceChildren();
      root.hidden = false;
      button.disabled = !Office.context.mailbox.item;
    });
  });
} else show({ outcome: 'failed' });
